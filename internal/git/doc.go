// Package git reads from git repositories: the content of a revision ([At]), the names
// that differ from the last commit ([Changed]) and the operation that git is in the
// middle of ([Find], [Repo.Busy]).
//
// It runs the `git` command, because only git handles worktrees, alternates and object
// formats correctly.
//
// # Promises
//
//   - No program that a repository's configuration, attributes or hooks name is run,
//     and nothing is fetched, not even in a partial clone.
//   - No ref, no index and no file of the project changes.
//   - Untrusted text is never taken for an option, and no name, whatever its bytes,
//     for two names.
//   - Every command ends: with its context, or when it has no output for too long.
//
// # Limits
//
//   - Contents are compared as they are stored. If git converts them on checkout (line
//     ends, filters such as LFS), Changed returns too many names.
//   - Variables such as GIT_DIR are ignored: the repository is the one that contains
//     the directory.
package git

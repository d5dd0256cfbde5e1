// Package git says what git knows: what a revision held ([At]), which names
// differ from a commit ([Changed]), what the next commit records ([Index]) and whether git is in the middle of
// something ([Find], [Repo.Busy]).
//
// It runs the `git` command, for worktrees, alternates and object formats are
// right only there, and it reads only.
//
// # Promises
//
//   - Nothing that a repository's config, attributes or hooks name is run, and
//     nothing is fetched, not even in a partial clone.
//   - Neither a ref, the index nor a file of the project changes.
//   - A stranger's text is never taken for an option, and no name, whatever
//     its bytes, for two.
//   - Every command ends: with its context, or when it is silent for too long.
//
// # Limits
//
//   - Contents are compared as they are stored. Where git converts them on
//     checkout (line ends, filters such as LFS), Changed names too much.
//   - Variables such as GIT_DIR are disregarded: the repository is the one that
//     the directory stands in.
package git

// Package artifact loads and unloads artifacts, and caches their contents.
//
// An artifact is a file of the project that is in the context window, or could be. The State lists
// the artifacts. The cache holds recently read files and can be deleted at any time.
//
// # Promises
//
//   - Nothing outside the project directory is read, and neither are the files of
//     git or of `.local/`. Only text is loaded into the window.
//   - used_tokens changes by exactly what is loaded and unloaded. The caller updates
//     the figures that depend on it.
//   - A cached content is used only if it equals the file on disk.
//   - Repeated uses of an artifact are recorded in `.local/` until Settle.
//
// # Limits
//
//   - last_modified is the time at which a change was noticed.
//   - Tokens are counted again if the cache no longer proves a count.
package artifact

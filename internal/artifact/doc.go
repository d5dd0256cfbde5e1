// Package artifact is the loader: layers, just-in-time load, preload, unload,
// cache.
//
// An artifact is a file of the project that is, or could be, in the context
// window. The State says which are; the cache holds what was read lately, and
// can always be emptied.
//
// # Promises
//
//   - Nothing outside the project directory is read, nor what belongs to git or
//     to `.local/`; nothing is read into the window that is no text.
//   - used_tokens moves by exactly what is loaded and unloaded. The figures that
//     follow from it are left to who calls.
//   - What is cached is used only where it is byte for byte what stands on disk.
//   - That an artifact was looked at again stands in `.local/` until Settle.
//
// # Limits
//
//   - last_modified is when a change was noticed, not when it was made.
//   - A count that the cache no longer proves is made anew.
package artifact

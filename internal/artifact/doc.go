// Package artifact is the loader: layers, just-in-time load, preload, unload,
// cache.
//
// An artifact is a file of the project that is, or could be, in the context
// window. The State says which are; the cache holds what was read lately, and
// can always be emptied.
package artifact

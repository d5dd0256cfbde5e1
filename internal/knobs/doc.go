// Package knobs reads the settings of context-config.yaml, and changes them.
package knobs

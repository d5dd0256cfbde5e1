package fs

import (
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"strings"
)

// ErrName is the error for a name that leads out of the tree, is not portable, or must
// not be written by callers.
var ErrName = errors.New("not a name that can be used")

// checkName returns ErrName for names that could lead out of the project directory or that
// have another meaning on another operating system.
func checkName(name string) error {
	if isPlainName(name) {
		return nil
	}
	if name == "" || path.Clean(name) != name || !filepath.IsLocal(filepath.FromSlash(name)) {
		return fmt.Errorf("%q: %w: it leaves the project directory or is not in its shortest form", name, ErrName)
	}
	if strings.ContainsAny(name, "\\:") || strings.ContainsFunc(name, func(r rune) bool { return r < 0x20 || r == 0x7f }) {
		return fmt.Errorf("%q: %w: backslash, colon or control character", name, ErrName)
	}
	for part := range strings.SplitSeq(name, "/") {
		if reserved(part) {
			return fmt.Errorf("%q: %w: %q is reserved on Windows", name, ErrName, part)
		}
	}
	return nil
}

// isPlainName reports, in one pass, whether name needs no closer check. Most names do not.
func isPlainName(name string) bool {
	start := 0 // start of the current part
	for i := 0; i <= len(name); i++ {
		if i < len(name) && name[i] != '/' {
			if c := name[i]; c <= ' ' || c >= 0x7f || c == '\\' || c == ':' {
				return false
			}
			continue
		}
		if i == start || name[i-1] == '.' {
			return false
		}
		switch stem, _, _ := strings.Cut(name[start:i], "."); len(stem) {
		case 3, 4, 5, 6, 7:
			if strings.ContainsAny(stem[:1], "CcPpAaNnLl") && reserved(stem) {
				return false
			}
		}
		start = i + 1
	}
	return true
}

// admitWrite is checkName for names that are to be changed. They must be in one of the two
// folders, and must not be files of the write protocol itself.
func admitWrite(name string) error {
	if err := checkName(name); err != nil {
		return err
	}
	folder, rest, ok := strings.Cut(name, "/")
	if !ok || !isFolder(folder) {
		return fmt.Errorf("%q: %w: only %s and %s are written", name, ErrName, Forgemind, Quaid)
	}
	for part := range strings.SplitSeq(rest, "/") {
		if strings.EqualFold(part, ".git") {
			return fmt.Errorf("%q: %w: git's own", name, ErrName)
		}
	}
	first, second, _ := strings.Cut(rest, "/")
	if first != LocalDir {
		if strings.EqualFold(first, LocalDir) {
			return fmt.Errorf("%q: %w: too much like %s", name, ErrName, LocalDir)
		}
		return nil
	}
	second, _, _ = strings.Cut(second, "/")
	switch second {
	case "", gitIgnoreFile, lockFile, holderFile, incidentFile, stageDir, txnDir, displacedDir, atticDir, recoveredDir, trashDir, lastDir:
		return fmt.Errorf("%q: %w: part of the write protocol", name, ErrName)
	}
	return nil
}

// reserved reports whether part of a path has a special meaning on Windows.
func reserved(part string) bool {
	if strings.HasSuffix(part, ".") || strings.HasSuffix(part, " ") {
		return part != "."
	}
	stem, _, _ := strings.Cut(part, ".")
	stem = strings.ToUpper(strings.TrimRight(stem, " "))
	switch stem {
	case "CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$":
		return true
	}
	for _, device := range []string{"COM", "LPT"} {
		if n, ok := strings.CutPrefix(stem, device); ok {
			switch n {
			case "0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "¹", "²", "³":
				return true
			}
		}
	}
	return false
}

// isFolder reports whether s is one of the two folders.
func isFolder(s string) bool { return s == Forgemind || s == Quaid }

// folderOf returns the folder that contains name, "" for a project file.
func folderOf(name string) string {
	folder, _, _ := strings.Cut(name, "/")
	if isFolder(folder) {
		return folder
	}
	return ""
}

package schema

import (
	"fmt"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/forgemind/forgemind/internal/text"
)

// A KnobError describes why a value is invalid for a knob.
type KnobError struct {
	Unknown bool   // no knob has the name
	Unused  bool   // the value is a path in the tree that is not used; the default applies
	Msg     string // the expected and the actual value; safe to print
}

func (e *KnobError) Error() string { return e.Msg }

// Set sets the knob name, which may be another spelling of it, to a value in the
// notation of a file. The error is a *KnobError; it does not contain the name.
func (k *Knobs) Set(name, value string) error {
	knob, ok := FindKnob(name)
	if !ok {
		return &KnobError{Unknown: true, Msg: "there is no such knob"}
	}
	switch field := knob.field(k).(type) {
	case *float64:
		number, err := knob.number(value)
		if err != nil {
			return err
		}
		*field = number
	case *int:
		number, err := knob.number(value)
		if err != nil {
			return err
		}
		*field = int(number)
	case *bool:
		on, ok := Switch(value)
		if !ok {
			return knob.wants(value)
		}
		*field = on
	case *string:
		if knob.Unit == "path" {
			return knob.place(field, value)
		}
		if *field = value; noModel(value) {
			*field = ""
		}
	}
	return nil
}

// Get returns the value of a knob in the notation of a file. It returns false if no
// knob has that name.
func (k Knobs) Get(name string) (value string, ok bool) {
	knob, ok := FindKnob(name)
	if !ok {
		return "", false
	}
	switch field := knob.field(&k).(type) {
	case *float64:
		return strconv.FormatFloat(*field, 'f', -1, 64), true
	case *int:
		return strconv.Itoa(*field), true
	case *bool:
		return strconv.FormatBool(*field), true
	case *string:
		if *field == "" && knob.Unit == "model" {
			return "none", true
		}
		return *field, true
	}
	return "", false
}

// Expects describes the values of the knob, such as "a ratio from 0 to 1: 0.5 for 50
// %".
func (k Knob) Expects() string { return k.expects("50", "0.5") }

func (k Knob) expects(percent, ratio string) string {
	least, most := plainNumber(k.least), plainNumber(k.most)
	switch k.Unit {
	case "ratio":
		return fmt.Sprintf("a ratio from %s to %s: %s for %s %%", least, most, ratio, percent)
	case "weight":
		return fmt.Sprintf("a weight from %s to %s", least, most)
	case "switch":
		return "true or false"
	case "path":
		return DefaultPath(k)
	case "model":
		return "the name of a model, or none"
	}
	return fmt.Sprintf("a whole number of %s from %s to %s", k.Unit, least, most)
}

// DefaultPath describes the value of a knob that is a path: the tree's own folder.
func DefaultPath(k Knob) string { return k.Default() + " in the tree's own folder" }

// wants returns the error for a value that is invalid for k.
func (k Knob) wants(value string) error {
	percent, ratio := "50", "0.5"
	if n, ok := parseNumber(strings.TrimSpace(strings.TrimSuffix(value, "%"))); ok && n > 1 && n <= 100 {
		percent, ratio = plainNumber(n), plainNumber(n/100)
	}
	return &KnobError{Msg: fmt.Sprintf("%s is expected, not %s", k.expects(percent, ratio), shown(value))}
}

// number parses a number within the bounds of k.
func (k Knob) number(value string) (float64, error) {
	n, ok := parseNumber(value)
	if !ok || n < k.least || n > k.most || k.whole && n != math.Trunc(n) {
		return 0, k.wants(value)
	}
	return n, nil
}

// parseNumber parses a decimal number. It refuses hexadecimal numbers and infinities.
func parseNumber(s string) (float64, bool) {
	if s == "" || len(s) > 40 || strings.Trim(s, "0123456789.eE+-") != "" {
		return 0, false
	}
	n, err := strconv.ParseFloat(s, 64)
	return n + 0, err == nil // adding 0 turns a negative zero into 0
}

func plainNumber(n float64) string {
	return strconv.FormatFloat(math.Round(n*1e6)/1e6, 'f', -1, 64)
}

// Switch parses a boolean in any of YAML's notations.
func Switch(value string) (on, ok bool) {
	switch strings.ToLower(value) {
	case "true", "yes", "on":
		return true, true
	case "false", "no", "off":
		return false, true
	}
	return false, false
}

// noModel reports whether a SUMMARY_MODEL names no model.
func noModel(value string) bool {
	return slices.Contains([]string{"", "~", "null", "none", "off", "false"}, strings.ToLower(strings.TrimSpace(value)))
}

// place sets the path of a knob if value is a spelling of the tree's own folder. It
// accepts the path of the plan, ~/.clawdbot/, as that folder.
func (k Knob) place(field *string, value string) error {
	own := k.Default()
	at := strings.TrimPrefix(value, "~/.clawdbot/")
	outside := value == at && (strings.HasPrefix(at, "/") || strings.HasPrefix(at, "~") || strings.ContainsAny(at, "\\:$"))
	in := path.Clean(".forgemind/" + at) // relative to the project directory
	switch {
	case value == "" || outside || in == ".." || strings.HasPrefix(in, "../"):
		return k.wants(value)
	case slices.Contains([]string{own, ".forgemind/" + own, ".quaid/" + own}, path.Clean(at)+"/"):
		*field = own
		return nil
	}
	return &KnobError{Unused: true, Msg: fmt.Sprintf("%s is not used: the place is %s", shown(value), DefaultPath(k))}
}

// shown returns an untrusted value in a form that is safe to print.
func shown(value string) string {
	const most = 40
	if value == "" {
		return "nothing"
	}
	value = text.Head(value, most)
	if strings.ContainsFunc(value, func(r rune) bool { return r <= ' ' || r > '~' || r == '"' }) {
		return strconv.Quote(value)
	}
	return value
}

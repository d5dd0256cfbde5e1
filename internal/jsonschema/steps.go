package jsonschema

import (
	"fmt"
	"regexp/syntax"

	library "github.com/santhosh-tekuri/jsonschema/v5"
)

// A counter counts the steps of a check. It makes each schema with keywords count when a
// value is checked against it; the library itself has no limit.
type counter struct {
	steps *int
	name  string // of the schema
}

// Compile returns the counter for one schema, or an error for a pattern that is too long.
func (c counter) Compile(_ library.CompilerContext, m map[string]any) (library.ExtSchema, error) {
	cost := 1 + weight(m["enum"])/16 + weight(m["const"])/16 + weight(m["required"])/16
	patterns := []string{}
	if p, ok := m["pattern"].(string); ok {
		patterns = append(patterns, p)
	}
	if of, ok := m["patternProperties"].(map[string]any); ok {
		for p := range of {
			patterns = append(patterns, p)
		}
	}
	scan := 0
	for _, p := range patterns {
		n, err := instructions(p)
		if err != nil {
			return nil, &FileError{c.name, err.Error()}
		}
		scan += n
	}
	return step{c.steps, cost, scan}, nil
}

// instructions returns the length of a compiled pattern.
func instructions(pattern string) (int, error) {
	re, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return 0, fmt.Errorf("the pattern %.60q is not understood: %w", pattern, err)
	}
	program, err := syntax.Compile(re.Simplify())
	if err != nil {
		return 0, fmt.Errorf("the pattern %.60q is not understood: %w", pattern, err)
	}
	if len(program.Inst) > maxPattern {
		return 0, fmt.Errorf("the pattern %.60q is too long: it compiles to %d instructions, at most %d are run", pattern, len(program.Inst), maxPattern)
	}
	return len(program.Inst), nil
}

// A step is the price of one schema.
type step struct {
	steps      *int
	cost, scan int // for each value, and for each 64 bytes of it
}

// Validate counts. It panics with ErrTooMuch at the limit, because an error would only
// be one more violation.
func (s step) Validate(_ library.ValidationContext, value any) error {
	size := 1
	switch v := value.(type) {
	case map[string]any:
		for name := range v {
			size += 1 + len(name)/16
		}
	case []any:
		size += len(v)
	case string:
		size += len(v) / 64
	}
	*s.steps -= s.cost + size + size*s.scan/4
	if *s.steps < 0 {
		panic(ErrTooMuch)
	}
	return nil
}

// weight returns the size of a value in bytes, about.
func weight(value any) (n int) {
	switch v := value.(type) {
	case nil:
		return 0
	case map[string]any:
		for name, part := range v {
			n += len(name) + weight(part)
		}
	case []any:
		for _, part := range v {
			n += weight(part)
		}
	case string:
		n = len(v)
	}
	return n + 8
}

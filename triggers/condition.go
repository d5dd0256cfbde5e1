package triggers

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/conf"
	"github.com/expr-lang/expr/file"
	"github.com/expr-lang/expr/parser"
	"github.com/expr-lang/expr/vm"
)

// maxNodes limits the parts of a condition: names, literals, operators, calls.
const maxNodes = 100

// A ConditionError describes why a condition is invalid.
type ConditionError struct {
	Offset int    // of the error in the condition, in bytes
	Msg    string // what is wrong and what is allowed
}

func (e *ConditionError) Error() string { return e.Msg }

// A Condition is a compiled condition, safe for concurrent use.
type Condition struct {
	source  string
	program *vm.Program
	names   map[string]bool // the names and functions in source
	facts   []string        // those of names that are facts
}

// scope has the values of the names in a condition. Usage and clarity are percent.
type scope struct {
	CurrentLayer    float64 `expr:"current_layer"`
	PreviousLayer   float64 `expr:"previous_layer"`
	CurrentClarity  float64 `expr:"current_clarity"`
	PreviousClarity float64 `expr:"previous_clarity"`
	CurrentUsage    float64 `expr:"context_usage_percent"`
	PreviousUsage   float64 `expr:"previous_usage_percent"`

	Command   string `expr:"command"`
	Message   string `expr:"message"`
	Priority  string `expr:"priority"`
	SessionID string `expr:"session_id"`
	LayerName string `expr:"layer_name"`
	Status    string `expr:"status"`

	IsBossDecision func(message string) bool `expr:"is_boss_decision"`

	factScope
}

// Compile compiles a condition. The error is a *[ConditionError] if the condition
// contains anything but names, literals, comparison, arithmetic, AND, OR, NOT, abs(…)
// and is_boss_decision(message), if it is not true or false, or if it is too long.
func Compile(condition string) (*Condition, error) {
	normalized, condErr := normalize(condition)
	if condErr != nil {
		return nil, condErr
	}
	config := conf.CreateNew()
	config.MaxNodes = maxNodes
	tree, err := parser.ParseWithConfig(normalized, config)
	if err != nil {
		return nil, syntaxError(normalized, err)
	}
	names, condErr := check(normalized, tree.Node)
	if condErr != nil {
		return nil, condErr
	}
	program, err := expr.Compile(normalized,
		expr.Env(scope{}),
		expr.AsBool(),
		expr.MaxNodes(0), // the parser checked maxNodes; checkedDivision adds nodes
		expr.Optimize(false),
		expr.DisableAllBuiltins(), expr.EnableBuiltin("abs"),
		expr.Function("divide", divide, new(func(any, any) float64)),
		expr.Function("modulo", modulo, new(func(any, any) float64)),
		expr.Patch(checkedDivision{}),
	)
	if err != nil {
		return nil, syntaxError(normalized, err)
	}
	return &Condition{source: condition, program: program, names: names, facts: factsIn(condition)}, nil
}

// String returns the source of the condition.
func (c *Condition) String() string { return c.source }

// eval reports whether the condition is true for s.
func (c *Condition) eval(s scope) (bool, error) {
	out, err := vm.Run(c.program, s)
	if err != nil {
		var runErr *file.Error
		if errors.As(err, &runErr) {
			if runErr.Prev != nil {
				return false, runErr.Prev
			}
			return false, errors.New(runErr.Message)
		}
		return false, err
	}
	result, ok := out.(bool)
	if !ok {
		return false, fmt.Errorf("the condition is a %T, not true or false", out)
	}
	return result, nil
}

// usesEvent reports whether the condition uses values of an event. It is then
// evaluated once for each event, and not for a mere change of a document.
func (c *Condition) usesEvent() bool {
	return c.names["command"] || c.names["message"] || c.names["priority"]
}

// usesUsage reports whether the condition uses the usage of the window, which changes
// with every message.
func (c *Condition) usesUsage() bool { return c.names["context_usage_percent"] }

// syntaxError converts an error of the parser, whose position counts characters.
func syntaxError(source string, err error) *ConditionError {
	var parserErr *file.Error
	if !errors.As(err, &parserErr) {
		return errorAt(0, "cannot parse the condition; %s", syntaxHelp)
	}
	offset := byteOffset(source, parserErr.From)
	switch {
	case strings.Contains(parserErr.Message, "maximum allowed nodes"):
		return errorAt(offset, "the condition has more than %d parts", maxNodes)
	case strings.TrimSpace(source[offset:]) == "" || strings.Contains(parserErr.Message, "EOF"):
		return errorAt(len(source), "the condition ends too early; %s", syntaxHelp)
	}
	return errorAt(offset, "unexpected %s; %s", excerpt(source[offset:]), syntaxHelp)
}

// excerpt quotes the first word or symbol of rest, cut after 30 bytes.
func excerpt(rest string) string {
	end := 1
	for end < len(rest) && end < 30 && isWordByte(rest[0]) && isWordByte(rest[end]) {
		end++
	}
	return fmt.Sprintf("%q", rest[:end])
}

// byteOffset converts an offset of the parser, in characters, to bytes.
func byteOffset(source string, characters int) int {
	for i := range source {
		if characters <= 0 {
			return i
		}
		characters--
	}
	return len(source)
}

// checkedDivision replaces / and % by functions that return errDivisionByZero. The
// expr library itself would return infinity.
type checkedDivision struct{}

func (checkedDivision) Visit(node *ast.Node) {
	b, ok := (*node).(*ast.BinaryNode)
	if !ok {
		return
	}
	name, ok := map[string]string{"/": "divide", "%": "modulo"}[b.Operator]
	if !ok {
		return
	}
	ast.Patch(node, &ast.CallNode{
		Callee:    &ast.IdentifierNode{Value: name},
		Arguments: []ast.Node{b.Left, b.Right},
	})
}

var errDivisionByZero = errors.New("division by zero")

func divide(params ...any) (any, error) {
	a, b := toFloat(params[0]), toFloat(params[1])
	if b == 0 {
		return 0.0, errDivisionByZero
	}
	return a / b, nil
}

func modulo(params ...any) (any, error) {
	a, b := toFloat(params[0]), toFloat(params[1])
	if b == 0 {
		return 0.0, errDivisionByZero
	}
	return math.Mod(a, b), nil
}

// toFloat converts an operand of the expression.
func toFloat(v any) float64 {
	switch n := v.(type) {
	case int:
		return float64(n)
	case float64:
		return n
	}
	return math.NaN()
}

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

// maxNodes is how many parts (names, literals, operators, calls) a condition
// may have.
const maxNodes = 100

// A ConditionError says why a condition is not admitted.
type ConditionError struct {
	Offset int    // where, in bytes into the condition
	Msg    string // what is wrong and what is allowed
}

func (e *ConditionError) Error() string { return e.Msg }

// A Condition is a compiled condition, safe for concurrent use.
type Condition struct {
	source  string
	program *vm.Program
	names   map[string]bool // the names it holds
}

// scope is what a condition sees.
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
}

// Compile reads a condition. The error is a *[ConditionError] for all that is
// not made of names, literals, comparison, arithmetic, AND, OR, NOT, abs(…) and
// is_boss_decision(message), or does not give true or false.
func Compile(condition string) (*Condition, error) {
	folded, refused := scan(condition)
	if refused != nil {
		return nil, refused
	}
	config := conf.CreateNew()
	config.MaxNodes = maxNodes
	tree, err := parser.ParseWithConfig(folded, config)
	if err != nil {
		return nil, syntax(folded, err)
	}
	names, refused := admit(folded, tree.Node)
	if refused != nil {
		return nil, refused
	}
	program, err := expr.Compile(folded,
		expr.Env(scope{}),
		expr.AsBool(),
		expr.MaxNodes(0), // counted above; checked division adds some
		expr.Optimize(false),
		expr.DisableAllBuiltins(), expr.EnableBuiltin("abs"),
		expr.Function("divide", divide, new(func(any, any) float64)),
		expr.Function("modulo", modulo, new(func(any, any) float64)),
		expr.Patch(checkedDivision{}),
	)
	if err != nil {
		return nil, syntax(folded, err)
	}
	return &Condition{source: condition, program: program, names: names}, nil
}

// String returns the condition as it was written.
func (c *Condition) String() string { return c.source }

// eval says whether the condition holds in s.
func (c *Condition) eval(s scope) (bool, error) {
	out, err := vm.Run(c.program, s)
	if err != nil {
		var located *file.Error
		if errors.As(err, &located) {
			if located.Prev != nil {
				return false, located.Prev
			}
			return false, errors.New(located.Message)
		}
		return false, err
	}
	holds, ok := out.(bool)
	if !ok {
		return false, fmt.Errorf("the condition gives a %T, not true or false", out)
	}
	return holds, nil
}

// onEvent says whether the condition speaks of an event: it is then asked once
// for each event, and never for a plain change of a document.
func (c *Condition) onEvent() bool {
	return c.names["command"] || c.names["message"] || c.names["priority"]
}

// onUsage says whether the condition speaks of how full the window is, which
// moves with every message.
func (c *Condition) onUsage() bool { return c.names["context_usage_percent"] }

// syntax turns an error of the parser into ours: where it stopped, in bytes.
func syntax(source string, err error) *ConditionError {
	var located *file.Error
	if !errors.As(err, &located) {
		return refuse(0, "the condition cannot be read; %s", admitted)
	}
	offset := byteOffset(source, located.From)
	switch {
	case strings.Contains(located.Message, "maximum allowed nodes"):
		return refuse(offset, "the condition has more than %d parts", maxNodes)
	case strings.TrimSpace(source[offset:]) == "" || strings.Contains(located.Message, "EOF"):
		return refuse(len(source), "the condition ends too early; %s", admitted)
	}
	return refuse(offset, "%s has no place here; %s", excerpt(source[offset:]), admitted)
}

// excerpt quotes the first word or symbol of rest, cut where it is long.
func excerpt(rest string) string {
	end := 1
	for end < len(rest) && end < 30 && isWord(rest[0]) && isWord(rest[end]) {
		end++
	}
	return fmt.Sprintf("%q", rest[:end])
}

// byteOffset turns the parser's offset, which counts characters, into bytes.
func byteOffset(source string, characters int) int {
	for i := range source {
		if characters <= 0 {
			return i
		}
		characters--
	}
	return len(source)
}

// checkedDivision replaces / and % by functions that refuse to divide by zero,
// which expr answers with infinity.
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

var errZero = errors.New("division by zero")

func divide(params ...any) (any, error) {
	a, b := number(params[0]), number(params[1])
	if b == 0 {
		return 0.0, errZero
	}
	return a / b, nil
}

func modulo(params ...any) (any, error) {
	a, b := number(params[0]), number(params[1])
	if b == 0 {
		return 0.0, errZero
	}
	return math.Mod(a, b), nil
}

// number widens what the expression computed with.
func number(v any) float64 {
	switch n := v.(type) {
	case int:
		return float64(n)
	case float64:
		return n
	}
	return math.NaN()
}

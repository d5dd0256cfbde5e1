package triggers

import (
	"fmt"
	"maps"
	"slices"

	"github.com/expr-lang/expr/ast"
)

// syntaxHelp ends the messages about syntax that a condition must not contain.
const syntaxHelp = "a condition may contain names, numbers, texts in quotes, true, false, == != < <= > >=, + - * / %, " +
	"AND, OR, NOT, abs(…) and is_boss_decision(message)"

// A kind is the type of an expression's value.
type kind string

const (
	numberKind kind = "a number"
	textKind   kind = "a text"
	boolKind   kind = "true or false"
)

// nameKinds returns the names that a condition may contain, with their kinds.
func nameKinds() map[string]kind {
	kinds := factKinds()
	maps.Copy(kinds, map[string]kind{
		"current_layer": numberKind, "previous_layer": numberKind,
		"current_clarity": numberKind, "previous_clarity": numberKind,
		"context_usage_percent": numberKind, "previous_usage_percent": numberKind,
		"command": textKind, "message": textKind, "priority": textKind,
		"session_id": textKind, "layer_name": textKind, "status": textKind,
	})
	return kinds
}

// Names returns the names that a condition may contain, sorted, without the two
// functions.
func Names() []string { return slices.Sorted(maps.Keys(nameKinds())) }

// check returns the names in a parsed condition, or an error for the first node that
// a condition must not contain.
func check(source string, root ast.Node) (map[string]bool, *ConditionError) {
	v := visitor{source: source, kinds: nameKinds(), names: map[string]bool{}}
	result := v.visit(root)
	for _, name := range FactNames() {
		for _, event := range []string{"command", "message", "priority"} {
			if v.names[name] && v.names[event] {
				v.fail(root, "%s cannot stand beside %s: they never happen at once", name, event)
			}
		}
	}
	if v.err == nil && result != boolKind {
		v.fail(root, "the condition is %s; it must be true or false, such as a comparison", result)
	}
	return v.names, v.err
}

// A visitor checks the nodes of one condition.
type visitor struct {
	source string
	kinds  map[string]kind
	names  map[string]bool
	err    *ConditionError // the first error
}

// fail records the first error, at n, and returns "".
func (v *visitor) fail(n ast.Node, format string, args ...any) kind {
	if v.err == nil {
		v.err = errorAt(byteOffset(v.source, n.Location().From), format, args...)
	}
	return ""
}

// visit returns the kind of n, "" after an error.
func (v *visitor) visit(n ast.Node) kind {
	switch n := n.(type) {
	case *ast.IntegerNode, *ast.FloatNode:
		return numberKind
	case *ast.StringNode:
		return textKind
	case *ast.BoolNode:
		return boolKind
	case *ast.IdentifierNode:
		return v.name(n)
	case *ast.UnaryNode:
		return v.unary(n)
	case *ast.BinaryNode:
		return v.binary(n)
	case *ast.BuiltinNode:
		if n.Name != "abs" || len(n.Arguments) != 1 {
			return v.fail(n, "%s is not allowed; %s", quoteShort(n.Name+"()"), syntaxHelp)
		}
		return v.want(n.Arguments[0], numberKind, "abs(…)")
	case *ast.CallNode:
		return v.call(n)
	}
	return v.fail(n, "%s is not allowed; %s", nodeName(n), syntaxHelp)
}

func (v *visitor) name(n *ast.IdentifierNode) kind {
	k, ok := v.kinds[n.Value]
	if !ok {
		hint := ""
		if near := nearest(n.Value, Names()); near != "" {
			hint = fmt.Sprintf("; did you mean %s?", near)
		}
		return v.fail(n, "unknown name %s%s", quoteShort(n.Value), hint)
	}
	v.names[n.Value] = true
	return k
}

func (v *visitor) unary(n *ast.UnaryNode) kind {
	switch n.Operator {
	case "not", "!":
		return v.want(n.Node, boolKind, "NOT")
	case "-", "+":
		return v.want(n.Node, numberKind, n.Operator)
	}
	return v.fail(n, "%s is not allowed; %s", quoteShort(n.Operator), syntaxHelp)
}

func (v *visitor) binary(n *ast.BinaryNode) kind {
	switch n.Operator {
	case "and", "&&", "or", "||":
		v.want(n.Left, boolKind, n.Operator)
		return v.want(n.Right, boolKind, n.Operator)
	case "+", "-", "*", "/", "%":
		v.want(n.Left, numberKind, n.Operator)
		return v.want(n.Right, numberKind, n.Operator)
	case "==", "!=", "<", "<=", ">", ">=":
		left, right := v.visit(n.Left), v.visit(n.Right)
		switch {
		case v.err != nil:
			return ""
		case left != right:
			return v.fail(n, "%s compares %s with %s; both sides must have the same type", n.Operator, left, right)
		case left == boolKind && n.Operator != "==" && n.Operator != "!=":
			return v.fail(n, "%s needs numbers or texts, not true or false", n.Operator)
		}
		return boolKind
	}
	return v.fail(n, "%s is not allowed; %s", quoteShort(n.Operator), syntaxHelp)
}

// call checks a call, which must be is_boss_decision(message). The function takes no
// other text: its result is a property of the event (Event.BossDecision).
func (v *visitor) call(n *ast.CallNode) kind {
	callee, ok := n.Callee.(*ast.IdentifierNode)
	if !ok {
		return v.fail(n, "this call is not allowed; %s", syntaxHelp)
	}
	if callee.Value != "is_boss_decision" {
		return v.fail(n, "unknown function %s; %s", quoteShort(callee.Value), syntaxHelp)
	}
	if len(n.Arguments) == 1 {
		if arg, ok := n.Arguments[0].(*ast.IdentifierNode); ok && arg.Value == "message" {
			v.names["message"], v.names["is_boss_decision"] = true, true
			return boolKind
		}
	}
	return v.fail(n, "is_boss_decision takes one argument, the name message")
}

// want visits n, which must be of kind k as an operand of operator, and returns the
// kind of the operation's value.
func (v *visitor) want(n ast.Node, k kind, operator string) kind {
	got := v.visit(n)
	if v.err == nil && got != k {
		return v.fail(n, "%s needs %s, not %s", operator, k, got)
	}
	return got
}

// nodeName returns a word for a node that a condition must not contain.
func nodeName(n ast.Node) string {
	switch n.(type) {
	case *ast.MemberNode, *ast.ChainNode, *ast.SliceNode:
		return "member access"
	case *ast.ArrayNode, *ast.MapNode:
		return "a list"
	case *ast.ConditionalNode:
		return "if or ?"
	case *ast.VariableDeclaratorNode:
		return "let"
	case *ast.NilNode:
		return "nil"
	}
	return "this expression"
}

// quoteShort quotes a word of the condition, cut after 40 bytes.
func quoteShort(word string) string {
	if len(word) > 40 {
		word = word[:40] + "…"
	}
	return fmt.Sprintf("%q", word)
}

package triggers

import (
	"fmt"
	"maps"
	"slices"

	"github.com/expr-lang/expr/ast"
)

// admitted ends every message that refuses something.
const admitted = "a condition may hold names, numbers, texts in quotes, true, false, == != < <= > >=, + - * / %, " +
	"AND, OR, NOT, abs(…) and is_boss_decision(message)"

// A kind is what an expression gives.
type kind string

const (
	isNumber kind = "a number"
	isText   kind = "a text"
	isTruth  kind = "true or false"
)

// nameKinds lists the names that a condition may hold, with what they give.
func nameKinds() map[string]kind {
	return map[string]kind{
		"current_layer": isNumber, "previous_layer": isNumber,
		"current_clarity": isNumber, "previous_clarity": isNumber,
		"context_usage_percent": isNumber, "previous_usage_percent": isNumber,
		"command": isText, "message": isText, "priority": isText,
		"session_id": isText, "layer_name": isText, "status": isText,
	}
}

// Names returns the names that a condition may hold, sorted, without the two
// functions.
func Names() []string { return slices.Sorted(maps.Keys(nameKinds())) }

// admit walks the tree of a parsed condition and returns the names it holds, or
// the first thing in it that is not admitted.
func admit(source string, root ast.Node) (map[string]bool, *ConditionError) {
	v := visitor{source: source, kinds: nameKinds(), used: map[string]bool{}}
	gives := v.visit(root)
	if v.refused == nil && gives != isTruth {
		v.refuse(root, "the condition gives %s; it must be true or false, such as a comparison", gives)
	}
	return v.used, v.refused
}

type visitor struct {
	source  string
	kinds   map[string]kind
	used    map[string]bool
	refused *ConditionError // the first
}

func (v *visitor) refuse(n ast.Node, format string, args ...any) kind {
	if v.refused == nil {
		v.refused = refuse(byteOffset(v.source, n.Location().From), format, args...)
	}
	return ""
}

// visit returns what n gives, "" once something was refused.
func (v *visitor) visit(n ast.Node) kind {
	switch n := n.(type) {
	case *ast.IntegerNode, *ast.FloatNode:
		return isNumber
	case *ast.StringNode:
		return isText
	case *ast.BoolNode:
		return isTruth
	case *ast.IdentifierNode:
		return v.name(n)
	case *ast.UnaryNode:
		return v.unary(n)
	case *ast.BinaryNode:
		return v.binary(n)
	case *ast.BuiltinNode:
		if n.Name != "abs" || len(n.Arguments) != 1 {
			return v.refuse(n, "%s is not allowed; %s", clip(n.Name+"()"), admitted)
		}
		return v.want(n.Arguments[0], isNumber, "abs(…)")
	case *ast.CallNode:
		return v.call(n)
	}
	return v.refuse(n, "%s has no place here; %s", what(n), admitted)
}

func (v *visitor) name(n *ast.IdentifierNode) kind {
	k, ok := v.kinds[n.Value]
	if !ok {
		hint := ""
		if near := nearest(n.Value, Names()); near != "" {
			hint = fmt.Sprintf("; did you mean %s?", near)
		}
		return v.refuse(n, "unknown name %s%s", clip(n.Value), hint)
	}
	v.used[n.Value] = true
	return k
}

func (v *visitor) unary(n *ast.UnaryNode) kind {
	switch n.Operator {
	case "not", "!":
		return v.want(n.Node, isTruth, "NOT")
	case "-", "+":
		return v.want(n.Node, isNumber, n.Operator)
	}
	return v.refuse(n, "%s is not allowed; %s", clip(n.Operator), admitted)
}

func (v *visitor) binary(n *ast.BinaryNode) kind {
	switch n.Operator {
	case "and", "&&", "or", "||":
		v.want(n.Left, isTruth, n.Operator)
		return v.want(n.Right, isTruth, n.Operator)
	case "+", "-", "*", "/", "%":
		v.want(n.Left, isNumber, n.Operator)
		return v.want(n.Right, isNumber, n.Operator)
	case "==", "!=", "<", "<=", ">", ">=":
		left, right := v.visit(n.Left), v.visit(n.Right)
		switch {
		case v.refused != nil:
			return ""
		case left != right:
			return v.refuse(n, "%s compares %s with %s; both sides must be of one kind", n.Operator, left, right)
		case left == isTruth && n.Operator != "==" && n.Operator != "!=":
			return v.refuse(n, "%s needs numbers or texts, not true or false", n.Operator)
		}
		return isTruth
	}
	return v.refuse(n, "%s is not allowed; %s", clip(n.Operator), admitted)
}

// call admits is_boss_decision(message): whether the message of this event is
// a decision of the boss is told with the event, so no other text can be asked.
func (v *visitor) call(n *ast.CallNode) kind {
	callee, ok := n.Callee.(*ast.IdentifierNode)
	if !ok {
		return v.refuse(n, "this call is not allowed; %s", admitted)
	}
	if callee.Value != "is_boss_decision" {
		return v.refuse(n, "unknown function %s; %s", clip(callee.Value), admitted)
	}
	if len(n.Arguments) == 1 {
		if arg, ok := n.Arguments[0].(*ast.IdentifierNode); ok && arg.Value == "message" {
			v.used["message"], v.used["is_boss_decision"] = true, true
			return isTruth
		}
	}
	return v.refuse(n, "is_boss_decision takes one argument, the name message")
}

// want visits n, which must give k because it stands beside operator.
func (v *visitor) want(n ast.Node, k kind, operator string) kind {
	got := v.visit(n)
	if v.refused == nil && got != k {
		return v.refuse(n, "%s needs %s, and this is %s", operator, k, got)
	}
	return got
}

// what names a node that is not admitted.
func what(n ast.Node) string {
	switch n.(type) {
	case *ast.MemberNode, *ast.ChainNode, *ast.SliceNode:
		return "a member"
	case *ast.ArrayNode, *ast.MapNode:
		return "a list"
	case *ast.ConditionalNode:
		return "if or ?"
	case *ast.VariableDeclaratorNode:
		return "let"
	case *ast.NilNode:
		return "nil"
	}
	return "this"
}

// clip quotes a stranger's word, cut where it is long.
func clip(word string) string {
	if len(word) > 40 {
		word = word[:40] + "…"
	}
	return fmt.Sprintf("%q", word)
}

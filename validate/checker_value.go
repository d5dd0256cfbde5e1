package validate

import (
	"bytes"
	"cmp"
	"strconv"
	"strings"

	"github.com/forgemind/forgemind/internal/jsonedit"
)

// constants are the values of enum or const.
type constants []constant

// A constant is a value in its usual notation, and its canonical text.
type constant struct{ text, meaning []byte }

// hold reports whether value i is equal to one of list.
func (list constants) hold(d *jsonedit.Doc, i int) bool {
	raw := d.Raw(i)
	for _, c := range list {
		if bytes.Equal(c.text, raw) {
			return true
		}
	}
	meaning := d.Canonical(nil, i)
	for _, c := range list {
		if bytes.Equal(c.meaning, meaning) {
			return true
		}
	}
	return false
}

// A limit is a bound for numbers.
type limit struct {
	keyword string
	side    int  // the side on which numbers are refused: -1 below, 1 above
	open    bool // the number itself is refused too
	plain   bool // it is an integer
	number  int64
	text    []byte
}

// checkNumber checks a number against the limits. If small is set, its value is n.
func (c *checker) checkNumber(d *jsonedit.Doc, i int, n int64, small bool, r *refusal) bool {
	ok, raw := true, d.Raw(i)
	under, between := int64(0), false
	if !small {
		under, between = fraction(raw)
	}
	for k := range c.limits {
		l := &c.limits[k]
		side := 0
		switch {
		case small && l.plain:
			side = cmp.Compare(n, l.number)
		case between && l.plain && under < l.number:
			side = -1
		case between && l.plain:
			side = 1
		default:
			side = jsonedit.CompareNumbers(raw, l.text)
		}
		if side == l.side || side == 0 && l.open {
			ok = r.add(c, i, l.keyword)
		}
	}
	return ok
}

// fraction returns the largest integer below a number such as 72.5. It returns false
// for other notations, negative numbers and integers.
func fraction(raw []byte) (under int64, ok bool) {
	whole, rest, _ := bytes.Cut(raw, []byte{'.'})
	if under, ok = smallInt(whole); !ok || raw[0] == '-' {
		return 0, false
	}
	ok = false
	for _, c := range rest {
		if c < '0' || c > '9' {
			return 0, false
		}
		ok = ok || c > '0'
	}
	return under, ok
}

// limit compiles a keyword for one kind of value. It returns false for an unknown
// keyword.
func (made *checker) limit(keyword string, v any) bool {
	n, isNumber := v.(float64)
	s, isText := v.(string)
	switch keyword {
	case "type":
		return made.limitType(v)
	case "enum":
		values, ok := v.([]any)
		made.enum = constantsOf(values)
		return ok
	case "const":
		made.constant = constantsOf([]any{v})
	case "format":
		made.time = s == "date-time"
		return made.time
	case "pattern":
		var err error
		made.walk, made.pattern, err = compilePattern(s)
		return isText && err == nil
	case "uniqueItems":
		made.unique = v == true
		_, ok := v.(bool)
		return ok
	case "required": // after properties
		names, ok := v.([]any)
		for _, name := range names {
			_, isName := name.(string)
			ok = ok && isName
		}
		return ok
	case "minimum", "exclusiveMinimum":
		made.limits = append(made.limits, newLimit(keyword, -1, n))
		return isNumber
	case "maximum", "exclusiveMaximum":
		made.limits = append(made.limits, newLimit(keyword, 1, n))
		return isNumber
	case "minLength":
		made.length.min = int(n)
	case "maxLength":
		made.length.max = int(n)
	case "minItems":
		made.elements.min = int(n)
	case "maxItems":
		made.elements.max = int(n)
	case "minProperties":
		made.members.min = int(n)
	case "maxProperties":
		made.members.max = int(n)
	default:
		return false
	}
	return keyword == "const" || isNumber && n >= 0 && n == float64(int(n))
}

func newLimit(keyword string, side int, n float64) limit {
	text := strconv.FormatFloat(n, 'f', -1, 64)
	whole, err := strconv.ParseInt(text, 10, 64)
	return limit{keyword, side, strings.HasPrefix(keyword, "exclusive"), err == nil, whole, []byte(text)}
}

func (made *checker) limitType(v any) bool {
	names, isList := v.([]any)
	if !isList {
		names = []any{v}
	}
	kinds := map[string]jsonedit.Kind{
		"null": jsonedit.Null, "boolean": jsonedit.True, "number": jsonedit.Number, "integer": jsonedit.Number,
		"string": jsonedit.String, "array": jsonedit.Array, "object": jsonedit.Object,
	}
	number, integer := false, false
	for _, n := range names {
		name, _ := n.(string)
		kind, ok := kinds[name]
		if !ok {
			return false
		}
		number, integer = number || name == "number", integer || name == "integer"
		made.kinds |= kindBit(kind)
	}
	made.whole = integer && !number
	return true
}

// constantsOf returns the values of enum or const as constants.
func constantsOf(values []any) (out constants) {
	for _, v := range values {
		text, _ := jsonedit.Value(v)
		if d, err := jsonedit.Parse(text); err == nil {
			out = append(out, constant{text, d.Canonical(nil, 0)})
		}
	}
	return out
}

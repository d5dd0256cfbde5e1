package jsonedit

// Limits of a text. They protect the stack, the memory and the int32 offsets of a Node.
const (
	MaxDepth  = 128     // nested arrays and objects
	MaxSize   = 1 << 30 // bytes
	MaxValues = 500_000 // values, including arrays and objects
)

// A Kind is the kind of a JSON value.
type Kind uint8

// The kinds of JSON values.
const (
	Invalid Kind = iota
	Null
	False
	True
	Number
	String
	Array
	Object
)

// String returns k for a message, with its article: "null", "a boolean", "an object".
func (k Kind) String() string {
	switch k {
	case Null:
		return "null"
	case False, True:
		return "a boolean"
	case Number:
		return "a number"
	case String:
		return "a string"
	case Array:
		return "an array"
	case Object:
		return "an object"
	}
	return "nothing"
}

// A Node is one value of a parsed text. Nodes are in document order, a parent before
// its children, so that Nodes[i:Nodes[i].Next] is a value with all inside it.
type Node struct {
	Kind             Kind
	Start, End       int32 // the value is Src[Start:End]
	KeyStart, KeyEnd int32 // the member name with its quotes; if it is not a member, KeyEnd is 0 and KeyStart the index in the array
	Next             int32 // index of the first node after this value and all inside it
	Parent           int32 // index of the enclosing array or object; -1 at the root
	Len              int32 // number of direct children
}

// A Doc is a parsed JSON text. Nodes[0] is the root.
type Doc struct {
	Src        []byte
	Nodes      []Node
	Duplicates []int // indexes, in order, of members whose name an earlier member of the same object has

	hasEscapes bool // some member names have escapes
	names      nameTable
}

// Parse parses one JSON text (RFC 8259). See Doc.Parse.
func Parse(src []byte) (*Doc, error) {
	d := new(Doc)
	return d, d.Parse(src)
}

// Parse parses src into d and reuses the memory of d. Duplicate member names are not
// an error; Duplicates lists them. The error is a *SyntaxError if src is otherwise not
// RFC 8259 in UTF-8, or exceeds MaxDepth, MaxSize or MaxValues; d then has no nodes.
// d keeps src, which must not change while d is in use.
func (d *Doc) Parse(src []byte) error {
	d.Src, d.Nodes, d.Duplicates = src, d.Nodes[:0], d.Duplicates[:0]
	err := checkText(src)
	if err == nil {
		d.hasEscapes = false
		d.names.reset(src)
		err = d.scan()
	}
	if err != nil {
		d.Nodes, d.Duplicates = d.Nodes[:0], d.Duplicates[:0]
		return err
	}
	return nil
}

// scan fills d.Nodes. The stack of open containers is the chain of Parents, so that
// nesting needs no recursion and no allocation.
func (d *Doc) scan() *SyntaxError {
	src, pos := d.Src, skipSpace(d.Src, 0)
	parent, depth, inObject := int32(-1), 0, false
	for {
		var keyStart, keyEnd int32
		if inObject {
			if pos >= len(src) || src[pos] != '"' {
				return d.keyError(pos, parent)
			}
			end, plain := stringEnd(src, pos)
			if end < 0 {
				return d.stringError(pos)
			}
			d.hasEscapes = d.hasEscapes || !plain
			keyStart, keyEnd = int32(pos), int32(end)
			if pos = skipSpace(src, end); pos >= len(src) || src[pos] != ':' {
				return d.colonError(pos, keyStart, keyEnd, parent)
			}
			pos = skipSpace(src, pos+1)
		} else if parent >= 0 {
			keyStart = d.Nodes[parent].Len // the number of children before it
		}
		if pos >= len(src) {
			return d.valueError(pos, parent, keyStart, keyEnd)
		}

		if len(d.Nodes) == MaxValues {
			return tooMany(pos)
		}
		self := int32(len(d.Nodes))
		d.Nodes = append(d.Nodes, Node{Start: int32(pos), KeyStart: keyStart, KeyEnd: keyEnd, Next: self + 1, Parent: parent})
		if inObject && d.names.add(d, self) {
			d.Duplicates = append(d.Duplicates, int(self))
		}
		node := &d.Nodes[self]
		switch c := src[pos]; c {
		case '"':
			node.Kind = String
			end, _ := stringEnd(src, pos)
			if end < 0 {
				return d.stringError(pos)
			}
			pos = end
		case '{', '[':
			node.Kind = Array
			if c == '{' {
				node.Kind = Object
			}
			if depth == MaxDepth {
				return tooDeep(pos)
			}
			next := skipSpace(src, pos+1)
			if next < len(src) && src[next] == c+2 { // '[' + 2 is ']', '{' + 2 is '}'
				pos = next + 1
				break
			}
			depth++
			parent, inObject, pos = self, c == '{', next
			continue
		case 't', 'f', 'n':
			kind, size := literal(src[pos:])
			if kind == Invalid {
				return d.valueError(pos, parent, keyStart, keyEnd)
			}
			node.Kind = kind
			pos += size
		default:
			if c != '-' && (c < '0' || c > '9') {
				return d.valueError(pos, parent, keyStart, keyEnd)
			}
			node.Kind = Number
			end, ok := numberEnd(src, pos)
			if !ok {
				return numberError(src, pos, end)
			}
			pos = end
		}
		node.End = int32(pos)

		// The value is complete, and perhaps the containers around it.
		for {
			pos = skipSpace(src, pos)
			if parent < 0 {
				if pos < len(src) {
					return d.trailingError(pos)
				}
				return nil
			}
			if pos >= len(src) {
				return d.commaError(pos, parent)
			}
			open := &d.Nodes[parent]
			c := src[pos]
			if c == ',' {
				open.Len++
				pos = skipSpace(src, pos+1)
				break
			}
			if c != ']' && c != '}' || (c == '}') != inObject {
				return d.commaError(pos, parent)
			}
			pos++
			open.Len++
			open.End, open.Next = int32(pos), int32(len(d.Nodes))
			parent = open.Parent
			depth--
			inObject = parent >= 0 && d.Nodes[parent].Kind == Object
		}
	}
}

// literal returns the kind and the length of true, false or null at the start of src,
// or Invalid.
func literal(src []byte) (Kind, int) {
	switch {
	case len(src) >= 4 && string(src[:4]) == "true":
		return True, 4
	case len(src) >= 4 && string(src[:4]) == "null":
		return Null, 4
	case len(src) >= 5 && string(src[:5]) == "false":
		return False, 5
	}
	return Invalid, 0
}

// skipSpace returns the position of the first byte from pos on that is not white
// space, len(src) if there is none. It is small enough to be inlined.
func skipSpace(src []byte, pos int) int {
	if pos < len(src) && src[pos] > ' ' {
		return pos
	}
	return skipSpaces(src, pos)
}

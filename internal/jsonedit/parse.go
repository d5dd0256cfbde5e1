package jsonedit

// Kind is the kind of a JSON value.
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

// A Node is one value of a parsed text. Nodes stand in document order, a
// parent before its children, so that a whole value is Nodes[i:Nodes[i].Next].
type Node struct {
	Kind             Kind
	Start, End       int32 // the value is Src[Start:End]
	KeyStart, KeyEnd int32 // the member name, quotes included; both 0 where there is none
	Next             int32 // index of the first node after this value and all inside it
	Parent           int32 // index of the enclosing array or object; -1 at the root
	Len              int32 // number of direct children
}

// A Doc is a parsed JSON text. Nodes[0] is the root.
type Doc struct {
	Src        []byte
	Nodes      []Node
	Duplicates []int // indexes of members whose name stood before in the same object, in order
}

// Parse reads one JSON text (RFC 8259). See Doc.Parse.
func Parse(src []byte) (*Doc, error) {
	d := new(Doc)
	return d, d.Parse(src)
}

// Parse reads src into d and reuses what d had allocated. Repeated member
// names are not an error here: they are listed in Duplicates.
func (d *Doc) Parse(src []byte) error { panic("not built") }

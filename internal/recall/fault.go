package recall

// A Fault is a file of fragments, or a line of a conversation, that cannot be read.
type Fault struct {
	Name string
	Line int // from 1; 0 for the whole file
	Err  error
}

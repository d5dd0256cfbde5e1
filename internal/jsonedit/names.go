package jsonedit

import (
	"bytes"
	"hash/maphash"
	"math/bits"
)

// A nameTable finds repeated member names: one hash table for all objects of
// a text, keyed by object and name. It grows with the members, so that a huge
// object costs no more per member than a small one, and its seed is random, so
// that no stranger can choose names that collide.
type nameTable struct {
	slots []nameSlot // a power of two
	used  int
	seed  maphash.Seed
	ready bool
}

type nameSlot struct {
	hash uint32
	node int32 // 0: free; node 0 is the root and no member
}

func (t *nameTable) reset(src []byte) {
	if !t.ready {
		t.seed, t.ready = maphash.MakeSeed(), true
	}
	t.used = 0
	t.resize(64 << bits.Len(uint(min(len(src), 1<<22)/1024))) // a member in 16 to 32 bytes needs no more
}

func (t *nameTable) resize(n int) {
	if n > cap(t.slots) {
		t.slots = make([]nameSlot, n)
		return
	}
	t.slots = t.slots[:n]
	clear(t.slots)
}

// add enters the member node of d and reports whether its name stood before
// in the same object.
func (t *nameTable) add(d *Doc, node int32) bool {
	parent := d.Nodes[node].Parent
	switch before := d.Nodes[parent].Len; {
	case before < few:
		return d.stoodBefore(node)
	case before == few:
		for c := parent + 1; c != node; c = d.Nodes[c].Next {
			t.enter(d, c)
		}
	}
	return t.enter(d, node)
}

// few is how many members an object has at most without being in the table:
// looking back at them is quicker.
const few = 12

// stoodBefore looks back at the members before node in its object.
func (d *Doc) stoodBefore(node int32) bool {
	n := &d.Nodes[node]
	length, first := n.KeyEnd-n.KeyStart, d.Src[n.KeyStart+1]
	for c := n.Parent + 1; c != node; {
		o := &d.Nodes[c]
		alike := o.KeyEnd-o.KeyStart == length && d.Src[o.KeyStart+1] == first // most names end here
		if (d.escapes || alike) && bytes.Equal(d.name(o), d.name(n)) {
			return true
		}
		c = o.Next
	}
	return false
}

func (t *nameTable) enter(d *Doc, node int32) bool {
	if t.used >= len(t.slots)/2 {
		t.resize(2 * len(t.slots))
		t.used = 0
		for i := int32(1); i < node; i++ {
			if d.Nodes[i].KeyEnd > 0 {
				t.put(d, i)
			}
		}
	}
	return t.put(d, node)
}

func (t *nameTable) put(d *Doc, node int32) bool {
	n := &d.Nodes[node]
	name := d.name(n)
	h := maphash.Bytes(t.seed, name)
	h = (h ^ uint64(n.Parent)) * 0x9e3779b97f4a7c15
	hash := uint32(h >> 32)
	mask := uint32(len(t.slots) - 1)
	for at := hash & mask; ; at = (at + 1) & mask {
		slot := &t.slots[at]
		if slot.node == 0 {
			*slot = nameSlot{hash, node}
			t.used++
			return false
		}
		if slot.hash == hash {
			o := &d.Nodes[slot.node]
			if o.Parent == n.Parent && bytes.Equal(d.name(o), name) {
				return true
			}
		}
	}
}

// name is the member name of n, unescaped.
func (d *Doc) name(n *Node) []byte {
	if d.escapes {
		return Unquote(d.Src[n.KeyStart:n.KeyEnd])
	}
	return d.Src[n.KeyStart+1 : n.KeyEnd-1]
}

package jsonedit

import (
	"bytes"
	"hash/maphash"
	"math/bits"
)

// A nameTable finds duplicate member names. It is one hash table for all objects of a
// text, keyed by object and name. It grows with the members, so that their cost stays
// constant, and its seed is random, so that nobody can choose names that collide.
type nameTable struct {
	slots []nameSlot // their number is a power of two
	used  int
	seed  maphash.Seed
	ready bool
}

type nameSlot struct {
	hash uint32
	node int32 // 0 if free: node 0 is the root, which is not a member
}

func (t *nameTable) reset(src []byte) {
	if !t.ready {
		t.seed, t.ready = maphash.MakeSeed(), true
	}
	t.used = 0
	t.resize(64 << bits.Len(uint(min(len(src), 1<<22)/1024))) // enough without growing for members of 16 to 32 bytes and more
}

func (t *nameTable) resize(n int) {
	if n > cap(t.slots) {
		t.slots = make([]nameSlot, n)
		return
	}
	t.slots = t.slots[:n]
	clear(t.slots)
}

// add adds the member node of d and reports whether an earlier member of the same
// object has its name.
func (t *nameTable) add(d *Doc, node int32) bool {
	parent := d.Nodes[node].Parent
	switch before := d.Nodes[parent].Len; {
	case before < maxUnindexed:
		return d.isDuplicate(node)
	case before == maxUnindexed:
		for c := parent + 1; c != node; c = d.Nodes[c].Next {
			t.enter(d, c)
		}
	}
	return t.enter(d, node)
}

// maxUnindexed is the number of members up to which an object is not in the table: a linear
// search is faster.
const maxUnindexed = 12

// isDuplicate reports whether a member before node in its object has its name. It
// searches linearly.
func (d *Doc) isDuplicate(node int32) bool {
	n := &d.Nodes[node]
	length, first := n.KeyEnd-n.KeyStart, d.Src[n.KeyStart+1]
	for c := n.Parent + 1; c != node; {
		o := &d.Nodes[c]
		mayMatch := o.KeyEnd-o.KeyStart == length && d.Src[o.KeyStart+1] == first // a cheap test that most names fail
		if (d.hasEscapes || mayMatch) && bytes.Equal(d.name(o), d.name(n)) {
			return true
		}
		c = o.Next
	}
	return false
}

// enter adds node to the table and reports whether its name is a duplicate. It doubles
// a table that is half full.
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

// name returns the member name of n, unescaped.
func (d *Doc) name(n *Node) []byte {
	if d.hasEscapes {
		return Unquote(d.Src[n.KeyStart:n.KeyEnd])
	}
	return d.Src[n.KeyStart+1 : n.KeyEnd-1]
}

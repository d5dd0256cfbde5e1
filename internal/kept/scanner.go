package kept

import "encoding/binary"

// A Scanner takes values from the front of Text. Bad is true if a value was missing. The strings
// that it returns share the memory of the text.
type Scanner struct {
	Text string
	Bad  bool
}

// Take returns the next n bytes.
func (s *Scanner) Take(n uint64) string {
	if s.Bad || n > uint64(len(s.Text)) {
		s.Bad, s.Text = true, ""
		return ""
	}
	front := s.Text[:n]
	s.Text = s.Text[n:]
	return front
}

// String returns a text that [AppendText] wrote.
func (s *Scanner) String() string { return s.Take(s.Number()) }

// Count returns a number of things that each take at least one byte.
func (s *Scanner) Count() int {
	n := s.Number()
	if n > uint64(len(s.Text)) {
		s.Bad = true
		return 0
	}
	return int(n)
}

// Number returns a number that binary.AppendUvarint wrote.
func (s *Scanner) Number() uint64 {
	if s.Text != "" && s.Text[0] < 0x80 { // most numbers are small
		n := uint64(s.Text[0])
		s.Text = s.Text[1:]
		return n
	}
	var n uint64
	for shift := 0; shift < 64; shift += 7 {
		c := s.Take(1)
		if s.Bad {
			return 0
		}
		if n |= uint64(c[0]&0x7f) << shift; c[0] < 0x80 {
			return n
		}
	}
	s.Bad = true
	return 0
}

// Fixed returns a number of eight bytes in little-endian order.
func (s *Scanner) Fixed() uint64 {
	front := s.Take(8)
	if s.Bad {
		return 0
	}
	return binary.LittleEndian.Uint64([]byte(front))
}

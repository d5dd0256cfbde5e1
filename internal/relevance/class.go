package relevance

import "math/bits"

// Texts are scored by the class of their lengths, a byte each: lengths below
// exact are a class of their own, and each doubling above has steps of them.
const (
	exact     = 32
	steps     = 14
	lastClass = 254
	leftOut   = 255 // of a text that is left out
)

// classOf is the class of a length, in bytes.
func classOf(length uint32) uint8 {
	if length < exact {
		return uint8(length)
	}
	octave := bits.Len32(length/exact) - 1
	step := int((uint64(length) - exact<<octave) * steps / (exact << octave))
	return uint8(min(exact+octave*steps+step, lastClass))
}

// lengthOf is the length that stands for a class.
func lengthOf(class uint8) float64 {
	if class < exact {
		return float64(class)
	}
	octave, step := int(class-exact)/steps, int(class-exact)%steps
	return float64(uint64(exact)<<octave) * (1 + (float64(step)+0.5)/steps)
}

// even is the length that a text of so many bytes is scored by.
func even(length int) float64 { return lengthOf(classOf(uint32(length))) }

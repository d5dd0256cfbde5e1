package relevance

import "math/bits"

// The score of a text depends on the class of its length, which is one byte: each
// length below exactLengths has its own class, and each doubling above has classSteps.
const (
	exactLengths  = 32
	classSteps    = 14
	lastClass     = 254
	excludedClass = 255 // of an excluded text
)

// classOf returns the class of a length in bytes.
func classOf(length uint32) uint8 {
	if length < exactLengths {
		return uint8(length)
	}
	octave := bits.Len32(length/exactLengths) - 1
	step := int((uint64(length) - exactLengths<<octave) * classSteps / (exactLengths << octave))
	return uint8(min(exactLengths+octave*classSteps+step, lastClass))
}

// lengthOf returns the length in bytes that represents a class.
func lengthOf(class uint8) float64 {
	if class < exactLengths {
		return float64(class)
	}
	octave, step := int(class-exactLengths)/classSteps, int(class-exactLengths)%classSteps
	return float64(uint64(exactLengths)<<octave) * (1 + (float64(step)+0.5)/classSteps)
}

// roundLength returns the length that represents the class of a length in bytes.
func roundLength(length int) float64 { return lengthOf(classOf(uint32(length))) }

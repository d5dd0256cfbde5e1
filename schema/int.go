package schema

import (
	"fmt"
	"math"
	"strconv"

	"github.com/forgemind/forgemind/internal/text"
)

// maxInt is the largest integer that every JSON reader preserves.
const maxInt = 1<<53 - 1

// An Int is an integer. It is read from any JSON notation, such as 70000, 70000.0 and
// 7e4. Its absolute value is at most 2^53-1.
type Int int64

// UnmarshalJSON reads a JSON number; null is 0.
func (n *Int) UnmarshalJSON(src []byte) error {
	if string(src) == "null" {
		*n = 0
		return nil
	}
	if i, err := strconv.ParseInt(string(src), 10, 64); err == nil && -maxInt <= i && i <= maxInt {
		*n = Int(i)
		return nil
	}
	f, err := strconv.ParseFloat(string(src), 64)
	if err != nil || f != math.Trunc(f) || math.Abs(f) > maxInt {
		return fmt.Errorf("%s: not a whole number between -2^53 and 2^53", text.QuoteASCII(string(src)))
	}
	*n = Int(f)
	return nil
}

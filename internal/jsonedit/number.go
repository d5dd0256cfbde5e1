package jsonedit

import (
	"cmp"
	"math"
	"strconv"
)

// numberEnd is the position behind the number at pos. If the number is broken
// it is the position of the byte that does not fit, and ok is false.
func numberEnd(src []byte, pos int) (end int, ok bool) {
	if src[pos] == '-' {
		pos++
	}
	if pos < len(src) && src[pos] == '0' {
		if pos++; pos < len(src) && isDigit(src[pos]) {
			return pos, false
		}
	} else if pos, ok = digits(src, pos); !ok {
		return pos, false
	}
	if pos < len(src) && src[pos] == '.' {
		if pos, ok = digits(src, pos+1); !ok {
			return pos, false
		}
	}
	if pos < len(src) && src[pos]|0x20 == 'e' {
		if pos++; pos < len(src) && (src[pos] == '+' || src[pos] == '-') {
			pos++
		}
		if pos, ok = digits(src, pos); !ok {
			return pos, false
		}
	}
	return pos, true
}

func isDigit(c byte) bool { return c-'0' <= 9 }

// digits skips one digit or more.
func digits(src []byte, pos int) (end int, ok bool) {
	end = pos
	for end < len(src) && isDigit(src[end]) {
		end++
	}
	return end, end > pos
}

// A decimal is a number in one exact form: the digits of digits, a point among
// them ignored, times 10 to the power exp. The first and the last digit are
// not 0; zero has no digits. Nothing is computed, so that 1e3000000 costs no
// more than 1.
type decimal struct {
	neg    bool
	digits []byte
	count  int // digits without the point
	exp    int64
}

// exact is the decimal of a valid JSON number. Of an exponent with more than 18
// digits only the sign is kept, and ok is false: the number is larger, or
// nearer to 0, than any with a shorter one.
func exact(number []byte) (d decimal, ok bool) {
	ok = true
	if number[0] == '-' {
		d.neg, number = true, number[1:]
	}
	mantissa := number
	for i, c := range number {
		if c|0x20 == 'e' {
			exp, err := strconv.ParseInt(string(number[i+1:]), 10, 64)
			if err != nil || exp > 1e18 || exp < -1e18 {
				exp, ok = 1<<61, false
				if number[i+1] == '-' {
					exp = -exp
				}
			}
			mantissa, d.exp = number[:i], exp
			break
		}
	}
	first, last, point := -1, -1, len(mantissa)
	for i, c := range mantissa {
		if c == '.' {
			point = i
		} else if c != '0' {
			if first < 0 {
				first = i
			}
			last = i
		}
	}
	if first < 0 {
		return decimal{}, true
	}
	d.digits, d.count = mantissa[first:last+1], last+1-first
	if first < point && point < last {
		d.count--
	}
	if last < point {
		d.exp += int64(point - 1 - last)
	} else {
		d.exp -= int64(last - point)
	}
	return d, ok
}

// sign is that of the number: -1, 0 or 1.
func (d *decimal) sign() int {
	switch {
	case d.count == 0:
		return 0
	case d.neg:
		return -1
	}
	return 1
}

// compare orders two numbers by value.
func (d *decimal) compare(other *decimal) int {
	sign := d.sign()
	if c := cmp.Compare(sign, other.sign()); c != 0 || sign == 0 {
		return c
	}
	c := cmp.Compare(d.exp+int64(d.count), other.exp+int64(other.count))
	for i, j := 0, 0; c == 0; i, j = i+1, j+1 {
		if i < len(d.digits) && d.digits[i] == '.' {
			i++
		}
		if j < len(other.digits) && other.digits[j] == '.' {
			j++
		}
		if i == len(d.digits) || j == len(other.digits) {
			c = cmp.Compare(d.count, other.count)
			break
		}
		c = cmp.Compare(d.digits[i], other.digits[j])
	}
	return sign * c
}

// CompareNumbers orders two valid JSON numbers by value, exactly: it is negative
// where a is less than b, 0 where they are equal, as 95, 95.0 and 9.5e1 are. Two
// numbers whose exponents both have more than 18 digits it can't tell apart.
func CompareNumbers(a, b []byte) int {
	x, _ := exact(a)
	y, _ := exact(b)
	return x.compare(&y)
}

// Integral reports whether a valid JSON number is a whole one, however it is written.
func Integral(number []byte) bool {
	d, _ := exact(number)
	return d.count == 0 || d.exp >= 0
}

// sameNumber reports whether two valid JSON numbers are equal, exactly. Of
// numbers whose exponent has more than 18 digits only the same text is.
func sameNumber(a, b []byte) bool {
	if string(a) == string(b) {
		return true
	}
	x, ok := exact(a)
	y, ok2 := exact(b)
	return ok && ok2 && x.compare(&y) == 0
}

// Float is the number i as a float64, rounded to the nearest; false
// if i is not a number or beyond what a float64 holds.
func (d *Doc) Float(i int) (float64, bool) {
	if d.kind(i) != Number {
		return 0, false
	}
	f, err := strconv.ParseFloat(string(d.Raw(i)), 64)
	return f, err == nil
}

// Int is the number i if it is integral and fits an int64, however it is
// written: 70000, 70000.0 and 7e4 are the same.
func (d *Doc) Int(i int) (int64, bool) {
	if d.kind(i) != Number {
		return 0, false
	}
	return integer(d.Raw(i))
}

// integer is Int for a valid JSON number.
func integer(number []byte) (int64, bool) {
	n, ok := exact(number)
	if !ok || n.exp < 0 || n.exp > 18 || n.count+int(n.exp) > 19 {
		return 0, ok && n.count == 0
	}
	var v uint64 // 19 digits always fit
	for _, c := range n.digits {
		if c != '.' {
			v = v*10 + uint64(c-'0')
		}
	}
	for range n.exp {
		v *= 10
	}
	if n.neg {
		return -int64(v), v <= 1<<63
	}
	return int64(v), v <= math.MaxInt64
}

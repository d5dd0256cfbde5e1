package jsonedit

import (
	"cmp"
	"math"
	"strconv"
)

// Limits of a number that other programs can hold.
const (
	MaxNumber   = 100 // characters
	MaxExponent = 308 // of ten, positive or negative
)

// Extreme reports whether node i is a number beyond MaxNumber or MaxExponent: 1e3000000
// would be a million digits in a program that computes it.
func (d *Doc) Extreme(i int) bool {
	if d.kind(i) != Number {
		return false
	}
	raw := d.Raw(i)
	if len(raw) > MaxNumber {
		return true
	}
	for k, c := range raw {
		if c|0x20 == 'e' {
			exponent, err := strconv.Atoi(string(raw[k+1:]))
			if err != nil || exponent > MaxExponent || exponent < -MaxExponent {
				return true
			}
			_, err = strconv.ParseFloat(string(raw), 64)
			return err != nil
		}
	}
	return false
}

// numberEnd returns the end of the number at pos. If the number is invalid, it returns
// the position of the first wrong byte and false.
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

// digits returns the end of the digits at pos, and whether there is at least one.
func digits(src []byte, pos int) (end int, ok bool) {
	end = pos
	for end < len(src) && isDigit(src[end]) {
		end++
	}
	return end, end > pos
}

// A decimal is a number in one exact form: digits, without the point they may contain,
// times 10 to the power exp. The first and the last digit are not 0; zero has no
// digits. The power is not computed, so that 1e3000000 costs no more than 1.
type decimal struct {
	neg    bool
	digits []byte
	count  int // number of digits, without the point
	exp    int64
}

// parseDecimal returns the decimal of a valid JSON number. If the exponent exceeds
// ±1e18, ok is false and exp is ±2^61: the number is larger, or nearer to 0, than any
// number with a smaller exponent.
func parseDecimal(number []byte) (d decimal, ok bool) {
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

// sign returns -1, 0 or 1.
func (d *decimal) sign() int {
	switch {
	case d.count == 0:
		return 0
	case d.neg:
		return -1
	}
	return 1
}

// compare returns a negative number, 0 or a positive number as d is less than, equal
// to or greater than other.
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

// CompareNumbers compares two valid JSON numbers exactly, by value: 95, 95.0 and 9.5e1
// are equal. The result is negative if a is less than b, and 0 if they are equal. It
// ignores the size of exponents beyond ±1e18.
func CompareNumbers(a, b []byte) int {
	x, _ := parseDecimal(a)
	y, _ := parseDecimal(b)
	return x.compare(&y)
}

// Integral reports whether a valid JSON number is an integer in any notation.
func Integral(number []byte) bool {
	d, _ := parseDecimal(number)
	return d.count == 0 || d.exp >= 0
}

// equalNumbers reports whether two valid JSON numbers have exactly the same value.
// Numbers with an exponent beyond ±1e18 are equal only if their texts are.
func equalNumbers(a, b []byte) bool {
	if string(a) == string(b) {
		return true
	}
	x, ok := parseDecimal(a)
	y, ok2 := parseDecimal(b)
	return ok && ok2 && x.compare(&y) == 0
}

// Float returns the number i as the nearest float64, or false if i is not a number or
// is out of range.
func (d *Doc) Float(i int) (float64, bool) {
	if d.kind(i) != Number {
		return 0, false
	}
	f, err := strconv.ParseFloat(string(d.Raw(i)), 64)
	return f, err == nil
}

// Int returns the number i, or false if it is not an integer or is out of range. The
// notation does not count: 70000, 70000.0 and 7e4 are the same.
func (d *Doc) Int(i int) (int64, bool) {
	if d.kind(i) != Number {
		return 0, false
	}
	return toInt64(d.Raw(i))
}

// toInt64 is Int for a valid JSON number.
func toInt64(number []byte) (int64, bool) {
	n, ok := parseDecimal(number)
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

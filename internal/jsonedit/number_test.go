package jsonedit

import (
	"bytes"
	"cmp"
	"math"
	"math/big"
	"strings"
	"testing"
)

func TestInt(t *testing.T) {
	for src, want := range map[string]int64{
		"0": 0, "-0": 0, "0.000": 0, "0e999999999": 0, "7": 7, "-12": -12,
		"70000": 70000, "7e4": 70000, "70000.0": 70000, "0.7e+5": 70000, "700000e-1": 70000, "1.5e1": 15, "100e-2": 1,
		"9223372036854775807": math.MaxInt64, "-9223372036854775808": math.MinInt64, "922337203685477580.7e1": math.MaxInt64,
		"1e18": 1e18, "0.000000000000000000001e21": 1, strings.Repeat("0", 0) + "1" + strings.Repeat("0", 18): 1e18,
	} {
		d := mustParse(t, src)
		if got, ok := d.Int(0); got != want || !ok {
			t.Errorf("%s: got %d, %v; want %d", src, got, ok, want)
		}
	}
	for _, src := range []string{
		"0.5", "1e-1", "15e-1", "9223372036854775808", "-9223372036854775809", "1e19", "99e18", "1e3000000", "1e-3000000",
		"1e99999999999999999999999", "-1e99999999999999999999999", "1" + strings.Repeat("0", 1_000_000), `"1"`, "null", "[1]",
	} {
		d := mustParse(t, src)
		if got, ok := d.Int(0); ok {
			t.Errorf("%s: got %d, want false", quoteShort([]byte(src)), got)
		}
	}
}

func TestFloat(t *testing.T) {
	for src, want := range map[string]float64{"0.5": 0.5, "-1e2": -100, "95": 95, "1e-3000000": 0} {
		if got, ok := mustParse(t, src).Float(0); got != want || !ok {
			t.Errorf("%s: got %v, %v", src, got, ok)
		}
	}
	for _, src := range []string{"1e3000000", "-1e309", `"1"`, "true"} {
		if got, ok := mustParse(t, src).Float(0); ok {
			t.Errorf("%s: got %v, want false", src, got)
		}
	}
}

func TestEqualNumbers(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"95", "95.0", true}, {"95", "9.5e1", true}, {"0", "-0.0e7", true}, {"0.001", "1E-3", true}, {"10203", "1.0203e4", true},
		{"1e3000000", "10e2999999", true}, {"1", "-1", false}, {"1", "10", false}, {"1.01", "1.1", false}, {"11e1", "1.1e1", false},
		{"0.1", "0.10000000000000000001", false}, {"9007199254740993", "9007199254740992", false},
		{"1e99999999999999999999", "1e99999999999999999999", true}, {"1e99999999999999999999", "1e99999999999999999998", false},
	} {
		if got := equalNumbers([]byte(c.a), []byte(c.b)); got != c.want || got != equalNumbers([]byte(c.b), []byte(c.a)) {
			t.Errorf("%s and %s: %v", c.a, c.b, got)
		}
	}
}

// TestCompareNumbers compares all pairs of a list in ascending order. The numbers on
// one line are equal.
func TestCompareNumbers(t *testing.T) {
	long := strings.Repeat("0", 1_000_000)
	order := [][]string{
		{"-1e1" + long},
		{"-1e3000000", "-10e2999999"},
		{"-95.5", "-9.55e1", "-95.50"},
		{"-95.49999999999999999999"},
		{"-1e-3000000"},
		{"0", "-0", "0.00", "0e5", "0e1" + long, "-0e-1" + long},
		{"1e-3000000", "0.1e-2999999"},
		{"0.1", "1e-1", "0.10"},
		{"0.10000000000000000001"},
		{"2", "2.0", "0.2e1", "2" + long + "e-1000000"},
		{"9.5"},
		{"10", "1e1"},
		{"12"},
		{"123.4"},
		{"9007199254740992"},
		{"9007199254740993", "9007199254740.993e3"},
		{"1" + long},
		{"1e1" + long},
	}
	for i, row := range order {
		for j, other := range order {
			for _, a := range row {
				for _, b := range other {
					if got := CompareNumbers([]byte(a), []byte(b)); got != cmp.Compare(i, j) {
						t.Errorf("%s and %s: %d", quoteShort([]byte(a)), quoteShort([]byte(b)), got)
					}
				}
			}
		}
	}
}

func TestIntegral(t *testing.T) {
	for _, src := range []string{"0", "-0.0", "7", "1.0", "1e2", "10e-1", "1.5e1", "1e3000000", "0e-99999999999999999999", "1e99999999999999999999"} {
		if !Integral([]byte(src)) {
			t.Errorf("%s: got false", src)
		}
	}
	for _, src := range []string{"0.5", "1e-1", "-15e-1", "1e-3000000", "10e-99999999999999999999"} {
		if Integral([]byte(src)) {
			t.Errorf("%s: got true", src)
		}
	}
}

// FuzzNumbers compares the results with those of math/big.
func FuzzNumbers(f *testing.F) {
	for _, s := range []string{"95.0 9.5e1", "-1e3 -999.9", "0.001 1E-3", "9007199254740993 9007199254740992", "0 -0.0e7", "1e3 1000.0"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		left, right, _ := strings.Cut(s, " ")
		a, err := Parse([]byte(left))
		b, err2 := Parse([]byte(right))
		if err != nil || err2 != nil || a.kind(0) != Number || b.kind(0) != Number {
			return
		}
		l, r := a.Raw(0), b.Raw(0) // without white space
		for _, n := range []string{string(l), string(r)} {
			if _, exponent, _ := strings.Cut(strings.ToLower(n), "e"); len(exponent) > 5 || len(n) > 1000 {
				return // too large for math/big
			}
		}
		x, _ := new(big.Rat).SetString(string(l))
		y, _ := new(big.Rat).SetString(string(r))
		if got := CompareNumbers(l, r); got != x.Cmp(y) || Integral(l) != x.IsInt() || equalNumbers(l, r) != (got == 0) ||
			bytes.Equal(a.Canonical(nil, 0), b.Canonical(nil, 0)) != (got == 0) {
			t.Errorf("%s: compares as %d, want %d; integral %v, equal %v", s, got, x.Cmp(y), Integral(l), equalNumbers(l, r))
		}
	})
}

package relevance

import "slices"

// A curve says what a term contributes to a text: by how often it is there, and by
// the length of the text.
type curve struct {
	own     func(times int, length float64) float64
	kept    [4]*[256]float32 // of own, by how often and by class
	highest [5]float32       // of own so often or less; the last is however often
}

func newCurve(own func(times int, length float64) float64) *curve {
	c := &curve{own: own}
	for times := range c.kept {
		c.kept[times] = c.row(times)
	}
	for times := range c.highest {
		row := c.row(most)
		if times < len(c.kept) {
			row = c.kept[times]
		}
		c.highest[times] = max(slices.Max(row[:]), c.highest[max(times-1, 0)])
	}
	return c
}

// row is own of so many times, for each class of lengths. What is left out, or
// nothing, has none.
func (c *curve) row(times int) *[256]float32 {
	row := new([256]float32)
	if times > 0 {
		for class := range lastClass + 1 {
			row[class] = float32(c.own(times, lengthOf(uint8(class))))
		}
	}
	return row
}

// rows are those of a curve that were needed.
type rows struct {
	*curve
	rare [most + 1]*[256]float32
}

// of is what a term contributes that is there so often, by class of length.
func (r *rows) of(times uint8) *[256]float32 {
	if int(times) < len(r.kept) {
		return r.kept[times]
	}
	if r.rare[times] == nil {
		r.rare[times] = r.row(int(times))
	}
	return r.rare[times]
}

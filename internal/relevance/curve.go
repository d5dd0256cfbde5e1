package relevance

import "slices"

// A curve is a function for the score of a term in a text, by the number of its
// occurrences and the length of the text, with precomputed values.
type curve struct {
	score   func(times int, length float64) float64
	table   [4]*[256]float32 // values by number of occurrences and class of length
	highest [5]float32       // highest value for up to so many occurrences; the last for any number
}

func newCurve(score func(times int, length float64) float64) *curve {
	c := &curve{score: score}
	for times := range c.table {
		c.table[times] = c.newRow(times)
	}
	for times := range c.highest {
		row := c.newRow(maxTimes)
		if times < len(c.table) {
			row = c.table[times]
		}
		c.highest[times] = max(slices.Max(row[:]), c.highest[max(times-1, 0)])
	}
	return c
}

// newRow returns the values for a number of occurrences, by class of length. They are
// 0 for excluded texts and for 0 occurrences.
func (c *curve) newRow(times int) *[256]float32 {
	row := new([256]float32)
	if times > 0 {
		for class := range lastClass + 1 {
			row[class] = float32(c.score(times, lengthOf(uint8(class))))
		}
	}
	return row
}

// curveRows caches the rows of a curve.
type curveRows struct {
	*curve
	cached [maxTimes + 1]*[256]float32
}

// get returns the values for a number of occurrences, by class of length.
func (r *curveRows) get(times uint8) *[256]float32 {
	if int(times) < len(r.table) {
		return r.table[times]
	}
	if r.cached[times] == nil {
		r.cached[times] = r.newRow(int(times))
	}
	return r.cached[times]
}

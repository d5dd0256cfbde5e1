package health

import (
	"fmt"
	"math"
	"strings"

	"github.com/forgemind/forgemind/internal/text"
	"github.com/forgemind/forgemind/schema"
)

// style is the style sheet of the picture for light and dark displays.
const style = `text { font: 12px system-ui, sans-serif; fill: #1f2328 }
.head { font-size: 15px; font-weight: 600 }
.faint { fill: #59636e }
.ground { fill: #ffffff }
.bar { fill: #2f6fbf }
.more { fill: #1f9d8f }
.miss { fill: #d9651e }
.axis { stroke: #c5ccd3; stroke-width: 1 }
.mark { stroke: #59636e; stroke-width: 1; stroke-dasharray: 4 3 }
.curve { stroke: #2f6fbf; stroke-width: 2; fill: none; stroke-linejoin: round; stroke-linecap: round }
.dot { fill: #2f6fbf }
@media (prefers-color-scheme: dark) {
text { fill: #e6edf3 }
.faint { fill: #9da7b1 }
.ground { fill: #0d1117 }
.bar { fill: #5b9bf0 }
.more { fill: #35b8a8 }
.miss { fill: #f08a3e }
.axis { stroke: #3d444d }
.mark { stroke: #9da7b1 }
.curve { stroke: #5b9bf0 }
.dot { fill: #5b9bf0 }
}
`

// A panel is the area of one of the four charts, without its heading.
type panel struct{ x, y, width, height float64 }

// SVG returns a Tuning as one self-contained picture: the scores and the reasons of
// drops, the saved tokens, and the usage of the window.
func (t Tuning) SVG() []byte {
	const width, height = 960, 690
	d := newDrawing(width, height, "What forgemind dropped, and what came back", t.Headline(), style)
	d.write("head", "start", 60, 36, "What was dropped, and what came back")
	d.write("faint", "start", 60, 57, t.Headline())
	t.drawHistogram(d, panel{60, 135, 380, 200})
	t.drawReasons(d, panel{540, 135, 380, 200})
	t.drawSavings(d, panel{60, 450, 380, 200})
	t.drawWindow(d, panel{540, 450, 380, 200})
	return d.end()
}

// Headline returns a summary of a Tuning in one line.
func (t Tuning) Headline() string {
	line := fmt.Sprintf("%s, %s, %s, %s", text.Count(t.Drops.Count, "drop"), text.Count(t.Recoveries.Count, "recovery"),
		text.Count(t.Curation.Count, "curation"), text.Count(t.Compactions.Count, "compaction"))
	if t.From != "" {
		line = t.From[:len("2006-01-02")] + " to " + t.To[:len("2006-01-02")] + ": " + line
	}
	return line
}

// heading writes what a panel is about, with the meaning of its colours.
func (p panel) heading(d *drawing, text string, legend ...string) {
	d.write("head", "start", p.x, p.y-28, text)
	x := p.x
	for i := 0; i+1 < len(legend); i += 2 {
		d.rect(legend[i], x, p.y-19, 10, 10, "")
		d.write("faint", "start", x+15, p.y-10, legend[i+1])
		x += 30 + 6.2*float64(len(legend[i+1]))
	}
}

// nothing writes that there is no data.
func (p panel) nothing(d *drawing, text string) {
	d.write("faint", "middle", p.x+p.width/2, p.y+p.height/2, text)
}

// scale draws the axis of a panel from 0 to most.
func (p panel) scale(d *drawing, most string) {
	d.line("axis", p.x, p.y, p.x+p.width, p.y)
	d.line("axis", p.x, p.y+p.height, p.x+p.width, p.y+p.height)
	d.write("faint", "end", p.x-5, p.y+4, most)
	d.write("faint", "end", p.x-5, p.y+p.height+4, "0")
}

func (t Tuning) drawHistogram(d *drawing, p panel) {
	p.heading(d, "Relevance of what was dropped", "bar", "dropped", "miss", "had to be recovered")
	most := 0
	for _, b := range t.Drops.Histogram {
		most = max(most, b.Count)
	}
	if most == 0 {
		p.nothing(d, "no drop has a score")
		return
	}
	d.line("axis", p.x, p.y+p.height, p.x+p.width, p.y+p.height)
	const room = 18 // for the number above the highest bar
	wide, unit := p.width/buckets, (p.height-room)/float64(most)
	for i, b := range t.Drops.Histogram {
		x := p.x + float64(i)*wide
		d.write("faint", "middle", x, p.y+p.height+16, fmt.Sprint(b.From))
		if b.Count == 0 {
			continue
		}
		high := unit * float64(b.Count)
		tip := fmt.Sprintf("%v to %v: %s, %d recovered", b.From, b.To, text.Count(b.Count, "drop"), b.Recovered)
		d.rect("bar", x+2, p.y+p.height-high, wide-4, high, tip)
		if b.Recovered > 0 {
			missed := unit * float64(b.Recovered)
			d.rect("miss", x+2, p.y+p.height-missed, wide-4, missed, tip)
		}
		d.write("faint", "middle", x+wide/2, p.y+p.height-high-4, fmt.Sprint(b.Count))
	}
	d.write("faint", "middle", p.x+p.width, p.y+p.height+16, "1")
	for i, m := range []struct {
		at   float64
		name string
	}{{t.Drops.Cutoff, "RELEVANCE_CUTOFF"}, {t.Drops.Keep, "KEEP_THRESHOLD"}} {
		x := p.x + p.width*min(max(m.at, 0), 1)
		y := p.y + p.height + 34 + 15*float64(i)
		d.line("mark", x, p.y, x, p.y+p.height+4)
		anchor := "middle"
		if m.at < 0.2 {
			anchor = "start"
		} else if m.at > 0.8 {
			anchor = "end"
		}
		d.write("faint", anchor, x, y, fmt.Sprintf("%s %v", m.name, m.at))
	}
}

func (t Tuning) drawReasons(d *drawing, p panel) {
	p.heading(d, "Why it was dropped", "bar", "dropped", "miss", "had to be recovered")
	rows := t.Recoveries.ByReason
	if len(rows) == 0 {
		p.nothing(d, "nothing was dropped")
		return
	}
	const shown = 7
	rest := Mistake{}
	if len(rows) > shown {
		for _, m := range rows[shown-1:] {
			rest.Drops += m.Drops
			rest.Recovered += m.Recovered
		}
		rest.Of = fmt.Sprintf("%d other reasons", len(rows)-shown+1)
		rows = append(append([]Mistake{}, rows[:shown-1]...), rest)
	}
	most := 0
	for _, m := range rows {
		most = max(most, m.Drops)
	}
	const label, tall = 130, 28
	unit := (p.width - label - 125) / float64(most)
	for i, m := range rows {
		y := p.y + float64(i)*tall
		name := m.Of
		if name == "" {
			name = "(no reason)"
		}
		d.write("", "end", p.x+label-8, y+14, text.Limit(name, 20))
		tip := fmt.Sprintf("%s: %s, %d recovered", name, text.Count(m.Drops, "drop"), m.Recovered)
		d.rect("bar", p.x+label, y+3, max(1, unit*float64(m.Drops)), tall-12, tip)
		if m.Recovered > 0 {
			d.rect("miss", p.x+label, y+3, max(1, unit*float64(m.Recovered)), tall-12, tip)
		}
		tail := fmt.Sprint(m.Drops)
		if m.Recovered > 0 {
			tail += fmt.Sprintf(", %s %% missed", percentOf(float64(m.Recovered)/float64(m.Drops)))
		}
		d.write("faint", "start", p.x+label+unit*float64(m.Drops)+6, y+14, tail)
	}
}

// span writes the first and the last day below a panel.
func (t Tuning) span(d *drawing, p panel) {
	if t.From != "" {
		const minute = len("2006-01-02T15:04")
		d.write("faint", "start", p.x, p.y+p.height+16, strings.Replace(t.From[:minute], "T", " ", 1))
		d.write("faint", "end", p.x+p.width, p.y+p.height+16, strings.Replace(t.To[:minute], "T", " ", 1)+" UTC")
	}
}

func (t Tuning) drawSavings(d *drawing, p panel) {
	p.heading(d, "Tokens saved", "more", "by compaction", "bar", "by curation")
	most := schema.Int(0)
	for _, s := range t.Slots {
		most = max(most, max(s.Compaction, 0)+max(s.Curation, 0))
	}
	if most == 0 {
		p.nothing(d, "nothing was saved")
		return
	}
	p.scale(d, brief(float64(most)))
	t.span(d, p)
	wide := p.width / float64(len(t.Slots))
	for i, s := range t.Slots {
		y := p.y + p.height
		for _, part := range []struct {
			class, by string
			tokens    schema.Int
		}{{"more", "compaction", s.Compaction}, {"bar", "curation", s.Curation}} {
			if part.tokens > 0 {
				high := p.height * float64(part.tokens) / float64(most)
				y -= high
				d.rect(part.class, p.x+float64(i)*wide+1, y, wide-2, high, fmt.Sprintf("from %s: %d by %s", s.From, part.tokens, part.by))
			}
		}
	}
}

func (t Tuning) drawWindow(d *drawing, p panel) {
	p.heading(d, "How full the window was")
	if t.Window.Count == 0 {
		p.nothing(d, "it was not measured")
		return
	}
	d.write("faint", "start", p.x, p.y-10, fmt.Sprintf("highest %s %%, half of the time below %s %%", percentOf(t.Window.Peak), percentOf(t.Window.Median)))
	most := max(1, t.Window.Peak)
	p.scale(d, percentOf(most)+" %")
	t.span(d, p)
	above := p.y // position of the next name
	for _, m := range []struct {
		at   float64
		name string
	}{{t.Window.Max, "MAX_CONTEXT_PCT"}, {t.Window.Compaction, "COMPACTION_TRIGGER_PCT"}, {t.Window.Curation, "CURATION_TRIGGER_PCT"}} {
		y := p.y + p.height*(1-min(max(m.at/most, 0), 1))
		d.line("mark", p.x, y, p.x+p.width, y)
		above = max(above+13, y-3)
		d.write("faint", "end", p.x+p.width, above, m.name)
	}
	var run [][2]float64
	flush := func() {
		if len(run) == 1 {
			d.rect("dot", run[0][0]-2, run[0][1]-2, 4, 4, "")
		} else if len(run) > 1 {
			d.curve("curve", run)
		}
		run = nil
	}
	wide := p.width / float64(len(t.Slots))
	for i, s := range t.Slots {
		if s.Measured == 0 {
			flush()
			continue
		}
		run = append(run, [2]float64{p.x + (float64(i)+0.5)*wide, p.y + p.height*(1-min(max(s.Peak/most, 0), 1))})
	}
	flush()
}

// brief formats a large number in few characters: 12.3k.
func brief(f float64) string {
	for _, unit := range []struct {
		size float64
		name string
	}{{1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e3, "k"}} {
		if f >= unit.size {
			f /= unit.size
			if f < 100 {
				return fmt.Sprint(math.Round(f*10)/10) + unit.name
			}
			return fmt.Sprint(math.Round(f)) + unit.name
		}
	}
	return fmt.Sprint(f)
}

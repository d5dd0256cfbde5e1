package health

import (
	"encoding/xml"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"

	"github.com/forgemind/forgemind/internal/text"
)

// A drawing is an SVG picture that is being built. The same calls give the same bytes.
type drawing struct{ text strings.Builder }

// newDrawing begins a picture with a title and a description for people who cannot see
// it. It has colors for light and dark displays.
func newDrawing(width, height int, title, description, style string) *drawing {
	d := &drawing{}
	d.put(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" role="img" aria-labelledby="tune-title tune-desc">`,
		width, height, width, height)
	d.put(`<title id="tune-title">%s</title>`, escaped(title))
	d.put(`<desc id="tune-desc">%s</desc>`, escaped(description))
	d.put("<style>\n%s</style>", style)
	d.rect("ground", 0, 0, float64(width), float64(height), "")
	return d
}

// end returns the whole picture.
func (d *drawing) end() []byte {
	d.put(`</svg>`)
	return []byte(d.text.String())
}

func (d *drawing) put(format string, args ...any) { fmt.Fprintf(&d.text, format+"\n", args...) }

// rect draws a box; tip is its tooltip, "" for none.
func (d *drawing) rect(class string, x, y, width, height float64, tip string) {
	end := "/>"
	if tip != "" {
		end = "><title>" + escaped(tip) + "</title></rect>"
	}
	d.put(`<rect class="%s" x="%s" y="%s" width="%s" height="%s"%s`, class, places(x), places(y), places(width), places(height), end)
}

func (d *drawing) line(class string, x1, y1, x2, y2 float64) {
	d.put(`<line class="%s" x1="%s" y1="%s" x2="%s" y2="%s"/>`, class, places(x1), places(y1), places(x2), places(y2))
}

// write writes text; anchor is the part of it at x: start, middle or end.
func (d *drawing) write(class, anchor string, x, y float64, text string) {
	d.put(`<text class="%s" text-anchor="%s" x="%s" y="%s">%s</text>`, class, anchor, places(x), places(y), escaped(text))
}

// curve draws a line through points.
func (d *drawing) curve(class string, points [][2]float64) {
	var list []string
	for _, p := range points {
		list = append(list, places(p[0])+","+places(p[1]))
	}
	d.put(`<polyline class="%s" points="%s"/>`, class, strings.Join(list, " "))
}

// places formats a coordinate with at most one decimal.
func places(f float64) string { return strconv.FormatFloat(math.Round(f*10)/10, 'f', -1, 64) }

// escaped is a stranger's text for XML: what XML cannot hold, or a reader cannot
// see, is replaced.
func escaped(s string) string {
	s = strings.Map(func(r rune) rune {
		if text.Hidden(r) || unicode.IsControl(r) { // such as a change of direction, or an escape
			return unicode.ReplacementChar
		}
		return r
	}, s)
	var out strings.Builder
	if err := xml.EscapeText(&out, []byte(text.Limit(s, 300))); err != nil {
		return ""
	}
	return out.String()
}

//go:build linux

package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"text/tabwriter"
	"time"
)

// A Figure is one thing that was measured. Value is the median where several
// runs were made, Low and High the least and the most of them.
type Figure struct {
	Row     string   `json:"row"`
	Name    string   `json:"figure"`
	Value   float64  `json:"value"`
	Unit    string   `json:"unit"` // x (times what it is compared with), ms, MiB, MB, or what is counted
	Low     *float64 `json:"low,omitempty"`
	High    *float64 `json:"high,omitempty"`
	Target  string   `json:"target,omitempty"`  // "<= 3" or ">= 0.6"; a figure without one is for information
	Reached *bool    `json:"reached,omitempty"` // absent without a target
	Note    string   `json:"note,omitempty"`
}

// add adds a figure; target is "" or a comparison such as "<= 3".
func (b *bench) add(row, name string, value float64, unit, target, note string) {
	b.figures = append(b.figures, judged(Figure{Row: row, Name: name, Value: value, Unit: unit, Target: target, Note: note}))
}

// addAll is add of the median of samples.
func (b *bench) addAll(row, name string, samples []float64, unit, target, note string) {
	low, high := slices.Min(samples), slices.Max(samples)
	b.figures = append(b.figures, judged(Figure{
		Row: row, Name: name, Value: quantile(samples, 0.5), Unit: unit, Low: &low, High: &high, Target: target, Note: note,
	}))
}

// judged says of f whether it reached its target.
func judged(f Figure) Figure {
	var sign string
	var limit float64
	if n, _ := fmt.Sscan(f.Target, &sign, &limit); n == 2 {
		reached := sign == "<=" && f.Value <= limit || sign == ">=" && f.Value >= limit || sign == "==" && f.Value == limit
		f.Reached = &reached
	}
	return f
}

// quantile is the sample that the share q of all does not exceed.
func quantile(samples []float64, q float64) float64 {
	sorted := slices.Sorted(slices.Values(samples))
	return sorted[int(q*float64(len(sorted)-1)+0.5)]
}

// ratios divides sample by sample.
func ratios(ours, theirs []float64) []float64 {
	out := make([]float64, len(ours))
	for i := range ours {
		out[i] = ours[i] / theirs[i]
	}
	return out
}

// differences subtracts sample by sample.
func differences(ours, theirs []float64) []float64 {
	out := make([]float64, len(ours))
	for i := range ours {
		out[i] = ours[i] - theirs[i]
	}
	return out
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// A machine describes the machine of the measurements.
type machine struct {
	Time       string `json:"time"` // UTC
	CPUs       int    `json:"cpus"`
	CPU        string `json:"cpu,omitempty"`
	Kernel     string `json:"kernel"`
	FileSystem string `json:"file_system"`
	Go         string `json:"go"`
	Load       string `json:"load"` // average of 1, 5 and 15 minutes, at the end
}

func thisMachine(dir string) machine {
	return machine{
		Time: time.Now().UTC().Format(time.RFC3339), CPUs: runtime.NumCPU(), CPU: field("/proc/cpuinfo", "model name"),
		Kernel: firstFields("/proc/sys/kernel/osrelease", 1), FileSystem: fileSystem(dir), Go: runtime.Version(),
		Load: firstFields("/proc/loadavg", 3),
	}
}

func firstFields(file string, n int) string {
	text, _ := os.ReadFile(file)
	words := strings.Fields(string(text))
	return strings.Join(words[:min(n, len(words))], " ")
}

// field is the value of a line "name: value" of a file in /proc.
func field(file, name string) string {
	text, _ := os.ReadFile(file)
	for line := range strings.Lines(string(text)) {
		if key, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(key) == name {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

func fileSystem(dir string) string {
	var st syscall.Statfs_t
	if err := syscall.Statfs(dir, &st); err != nil {
		return "unknown"
	}
	switch uint32(st.Type) {
	case 0xEF53:
		return "ext4"
	case 0x01021994:
		return "tmpfs"
	case 0x9123683E:
		return "btrfs"
	case 0x58465342:
		return "xfs"
	case 0x794C7630:
		return "overlay"
	}
	return fmt.Sprintf("0x%X", st.Type)
}

func printJSON(w io.Writer, dir string, figures []Figure) error {
	out := json.NewEncoder(w)
	out.SetEscapeHTML(false)
	out.SetIndent("", "  ")
	return out.Encode(struct {
		Version int      `json:"version"`
		Machine machine  `json:"machine"`
		Figures []Figure `json:"figures"`
	}{1, thisMachine(dir), figures})
}

func printTable(w io.Writer, dir string, figures []Figure) error {
	m := thisMachine(dir)
	fmt.Fprintf(w, "%s, %d CPUs %s, Linux %s, %s, %s, load %s\n\n", m.Time, m.CPUs, m.CPU, m.Kernel, m.FileSystem, m.Go, m.Load)
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "row\tfigure\tmeasured\tfrom – to\ttarget\treached\tnote")
	for _, f := range figures {
		spread, reached := "", ""
		if f.Low != nil {
			spread = number(*f.Low) + " – " + number(*f.High)
		}
		if f.Reached != nil {
			reached = map[bool]string{true: "yes", false: "NO"}[*f.Reached]
		}
		fmt.Fprintf(table, "%s\t%s\t%s %s\t%s\t%s\t%s\t%s\n", f.Row, f.Name, number(f.Value), f.Unit, spread, f.Target, reached, f.Note)
	}
	return table.Flush()
}

// number is v with three digits, or all of a whole number.
func number(v float64) string {
	switch {
	case v == float64(int64(v)):
		return fmt.Sprint(int64(v))
	case v >= 100 || v <= -100:
		return fmt.Sprintf("%.0f", v)
	case v >= 10 || v <= -10:
		return fmt.Sprintf("%.1f", v)
	}
	return fmt.Sprintf("%.2f", v)
}

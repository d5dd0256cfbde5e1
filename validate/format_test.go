package validate

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

var update = flag.Bool("update", false, "write what is there as what is wanted")

// sample has a finding of each severity, two that differ only in their line,
// a hint, and a message and a path with everything that a format must escape.
func sample() Report {
	var r Report
	r.Add(".forgemind/config.json")
	r.Add(".forgemind/context/current-context.json",
		Finding{File: ".forgemind/context/current-context.json", Line: 33, Column: 20, Column16: 20, Pointer: "/context_window/used_tokens",
			Rule: "token-mismatch", Severity: Error, Message: "Token count mismatch: 10500 != 70000", Hint: "say what else the window holds"},
		Finding{File: ".forgemind/context/current-context.json", Line: 12, Column: 7, Column16: 8, Pointer: "/project/status",
			Rule: "mojibake", Severity: Warning, Message: "looks like text decoded wrongly"})
	r.Add("odd, 100%: [x](y) <&>\x1b[2J.json",
		Finding{File: "odd, 100%: [x](y) <&>\x1b[2J.json", Line: 1, Column: 1, Column16: 1,
			Rule: "json-syntax", Severity: Error, Message: "expected \"}\": 100%, a\r\nb \u202e\U000e0041\u009b [x](http://y) ]]> \xff"})
	r.Add("./log.jsonl",
		Finding{File: "./log.jsonl", Line: 2, Column: 1, Column16: 1, Rule: "jsonl-line", Severity: Error, Message: "no JSON"},
		Finding{File: "./log.jsonl", Line: 3, Column: 1, Column16: 1, Rule: "jsonl-line", Severity: Error, Message: "no JSON"})
	r.Suppressed = []Finding{
		{File: ".forgemind/config.json", Line: 2, Column: 3, Column16: 3, Pointer: "/x", Rule: "mojibake", Severity: Warning, Message: "looks odd", Reason: "in the baseline b.json"},
		{File: ".forgemind/memory/notes.md", Line: 1, Column: 1, Column16: 1, Rule: "mojibake", Severity: Warning, Message: "looks odd", Reason: "a name", InSource: true},
	}
	r.Finish()
	return r
}

// sampleRules stand for the rules, whose texts are tested elsewhere.
var sampleRules = []Rule{
	{Name: "json-syntax", Severity: Error, Summary: "The text is no JSON.", Help: "# json-syntax\n\nMend it."},
	{Name: "mojibake", Severity: Warning, Summary: "Text was decoded wrongly."},
	{Name: "token-mismatch", Severity: Error, Summary: "Tokens do not add up.", Help: "Count again."},
}

func written(t *testing.T, format string, r Report) []byte {
	t.Helper()
	var b bytes.Buffer
	var err error
	if format == "sarif" {
		err = writeSARIF(&b, r, sampleRules)
	} else {
		err = Write(&b, format, r)
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestFormatsWriteWhatTheyWroteBefore(t *testing.T) {
	for _, format := range Formats() {
		t.Run(format, func(t *testing.T) {
			golden(t, "sample."+format, written(t, format, sample()))
			golden(t, "empty."+format, written(t, format, Report{Version: 1}))
		})
	}
	t.Run("text with hints", func(t *testing.T) {
		r := sample()
		r.Hints = true
		golden(t, "sample.hints", written(t, "text", r))
	})
}

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	file := filepath.Join("testdata", "formats", name)
	if *update {
		if err := os.WriteFile(file, got, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s: got\n%s\nwant\n%s", name, got, want)
	}
}

func TestWriteRefusesAnUnknownFormat(t *testing.T) {
	err := Write(new(bytes.Buffer), "yaml", Report{})
	if err == nil || !strings.Contains(err.Error(), `unknown format "yaml"`) {
		t.Errorf("got %v", err)
	}
}

func TestNoFormatLetsHiddenCharactersThrough(t *testing.T) {
	hidden := []rune{0x00, 0x07, 0x08, 0x1b, 0x7f, 0x85, 0x9b, 0x9d, 0xad, 0x200b, 0x200e, 0x200f, 0x2028, 0x2029,
		0x202a, 0x202e, 0x2060, 0x2066, 0x2069, 0xfeff, 0xe0001, 0xe0041, 0xe007f}
	for _, format := range Formats() {
		for _, c := range hidden {
			r := Report{Hints: true}
			text := "a" + string(c) + "b\r\nc"
			r.Add(text, Finding{File: text, Line: 1, Column: 1, Pointer: "/" + text, Rule: "schema", Severity: Error, Message: text, Hint: text})
			r.Finish()
			out := written(t, format, r)
			if bytes.ContainsRune(out, c) || bytes.ContainsRune(out, '\r') || !utf8.Valid(out) {
				t.Errorf("%s lets %U through: %q", format, c, out)
			}
		}
	}
}

func TestTextIsOneLineAFinding(t *testing.T) {
	matcher := regexp.MustCompile(`^(.+?):(\d+):(\d+): (error|warning): (.*) \[([a-z-]+)\]$`)
	r := sample()
	lines := strings.Split(strings.TrimSuffix(string(written(t, "text", r)), "\n"), "\n")
	if len(lines) != len(r.Findings) {
		t.Fatalf("%d lines for %d findings", len(lines), len(r.Findings))
	}
	for _, line := range lines {
		if !matcher.MatchString(line) {
			t.Errorf("a problem matcher does not know %q", line)
		}
	}
}

// unescapeCommand does what GitHub's runner does with a workflow command.
func unescapeCommand(line string) (properties map[string]string, message string) {
	head, message, _ := strings.Cut(strings.TrimPrefix(line, "::"), "::")
	_, list, _ := strings.Cut(head, " ")
	properties = make(map[string]string)
	for _, p := range strings.Split(list, ",") {
		name, value, _ := strings.Cut(p, "=")
		for _, e := range [][2]string{{"%0D", "\r"}, {"%0A", "\n"}, {"%3A", ":"}, {"%2C", ","}, {"%25", "%"}} {
			value = strings.ReplaceAll(value, e[0], e[1])
		}
		properties[name] = value
	}
	for _, e := range [][2]string{{"%0D", "\r"}, {"%0A", "\n"}, {"%25", "%"}} {
		message = strings.ReplaceAll(message, e[0], e[1])
	}
	return properties, message
}

func TestGitHubReadsBackWhatWasWritten(t *testing.T) {
	f := Finding{File: "a,b:c%2C.json", Line: 3, Column: 4, Rule: "schema", Severity: Warning,
		Message: "50% :: of %0A, x=y", Hint: "do: this, %25"}
	out := string(written(t, "github", Report{Findings: []Finding{f}}))
	if !strings.HasPrefix(out, "::warning ") || strings.Count(out, "\n") != 1 {
		t.Errorf("not one command: %q", out)
	}
	properties, message := unescapeCommand(strings.TrimSuffix(out, "\n"))
	if properties["file"] != f.File || properties["line"] != "3" || properties["col"] != "4" || properties["title"] != "schema" {
		t.Errorf("properties are %q", properties)
	}
	if want := f.Message + "\nhint: " + f.Hint; message != want {
		t.Errorf("message is %q, want %q", message, want)
	}
}

func TestJSONKeepsTheOrderOfItsMembers(t *testing.T) {
	out := string(written(t, "json", sample()))
	at := 0
	for _, member := range []string{"version", "files", "errors", "warnings", "findings", "file", "line", "column"} {
		i := strings.Index(out[at:], `"`+member+`": `)
		if i < 0 {
			t.Fatalf("%s is missing or stands too early in\n%s", member, out)
		}
		at += i
	}
	var back Report
	if err := json.Unmarshal([]byte(out), &back); err != nil {
		t.Fatal(err)
	}
	if back.Findings[len(back.Findings)-1].File != sample().Findings[len(back.Findings)-1].File {
		t.Errorf("a path was changed: %+v", back.Findings)
	}
}

func TestGitLabReportHasTheDocumentedShape(t *testing.T) {
	var issues []struct {
		Description string `json:"description"`
		CheckName   string `json:"check_name"`
		Fingerprint string `json:"fingerprint"`
		Severity    string `json:"severity"`
		Location    struct {
			Path  string `json:"path"`
			Lines struct {
				Begin int `json:"begin"`
			} `json:"lines"`
		} `json:"location"`
	}
	dec := json.NewDecoder(bytes.NewReader(written(t, "gitlab", sample())))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&issues); err != nil {
		t.Fatal(err)
	}
	severities := map[string]bool{"info": true, "minor": true, "major": true, "critical": true, "blocker": true}
	for _, i := range issues {
		if i.Description == "" || i.CheckName == "" || !severities[i.Severity] || i.Location.Lines.Begin < 1 ||
			i.Location.Path == "" || strings.HasPrefix(i.Location.Path, "./") {
			t.Errorf("not a code quality issue: %+v", i)
		}
	}
}

func TestFingerprintsAreUniqueAndStayWhenLinesMove(t *testing.T) {
	findings := sample().Findings
	names := fingerprints(findings)
	seen := make(map[string]bool)
	for _, name := range names {
		if seen[name] {
			t.Errorf("two findings are called %s", name)
		}
		seen[name] = true
	}
	for i := range findings {
		findings[i].Line += 7
		findings[i].Message += ", still"
	}
	for i, name := range fingerprints(findings) {
		if name != names[i] {
			t.Errorf("%s has another name on another line", findings[i].Rule)
		}
	}
}

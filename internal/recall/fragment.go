package recall

import (
	"cmp"
	"fmt"
	"math"
	"path"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/forgemind/forgemind/internal/text"
	"github.com/forgemind/forgemind/internal/yaml"
	"github.com/forgemind/forgemind/schema"
)

// A Fragment is one file of long-term memory.
type Fragment struct {
	Name       string   `json:"name"` // of its file
	ID         string   `json:"id"`
	Title      string   `json:"title"`
	Type       string   `json:"type"` // see Types
	Tags       []string `json:"tags"`
	Entities   []string `json:"entities,omitempty"`
	Importance float64  `json:"importance"` // ratio
	Created    string   `json:"created"`
	Session    string   `json:"session,omitempty"` // the session that it was made from
	Body       string   `json:"body"`
}

// The types of fragments.
const (
	Concept         = "concept"
	Implementation  = "implementation"
	Decision        = "decision"
	Reference       = "reference"
	Pattern         = "pattern"
	Troubleshooting = "troubleshooting"
	APIDoc          = "api-doc"
)

// Types returns the types of fragments.
func Types() []string {
	return []string{Concept, Implementation, Decision, Reference, Pattern, Troubleshooting, APIDoc}
}

// unsaid is the importance of a fragment that states none.
const unsaid = 0.5

// front is the front matter of a fragment, which may have further members.
type front struct {
	ID         string   `yaml:"id"`
	Title      string   `yaml:"title"`
	Type       string   `yaml:"type"`
	Tags       words    `yaml:"tags"`
	Entities   words    `yaml:"entities"`
	Importance *float64 `yaml:"importance"`
	Created    string   `yaml:"created"`
	Session    string   `yaml:"session"`
}

// words is a list of strings, or a single string with commas.
type words []string

// UnmarshalYAML implements an interface of the YAML library.
func (w *words) UnmarshalYAML(decode func(any) error) error {
	var list []string
	if err := decode(&list); err == nil {
		*w = list
		return nil
	}
	var text string
	err := decode(&text)
	*w = strings.Split(text, ",")
	return err
}

// ReadFragment parses the text of the fragment at name. The error is a *yaml.Error if
// front matter is missing or invalid; the result then contains everything that could be
// read: a fragment with an id, a title (of the first heading, or the file) and a body.
func ReadFragment(name string, src []byte) (Fragment, error) {
	text, body, _ := yaml.Split(src)
	var said front
	var err error
	if text == nil {
		err = &yaml.Error{Line: 1, Msg: "there is no front matter: a line ---, then id, title, type, tags, importance and created, then another ---"}
	} else if err = yaml.Decode(text, 2, &said); err != nil && said.Importance != nil && *said.Importance == 0 {
		said.Importance = nil // a value that is no number
	}
	f := Fragment{
		Name: name, ID: said.ID, Title: said.Title, Type: said.Type, Tags: said.Tags, Entities: said.Entities,
		Importance: unsaid, Created: said.Created, Session: said.Session, Body: string(body),
	}
	if said.Importance != nil {
		f.Importance = *said.Importance
	}
	f = f.normal()
	if err == nil {
		if member, msg := f.wrong(); msg != "" {
			err = &yaml.Error{Line: lineOf(text, member), Msg: msg}
		}
	}
	return f.mended(), err
}

// lineOf returns the line of a member in the front matter of a file, or the first line
// if it is missing.
func lineOf(front []byte, member string) int {
	line := 1
	for text := range strings.Lines(string(front)) {
		if line++; strings.HasPrefix(text, member+":") {
			return line
		}
	}
	return 1
}

// wrong returns a member of f that is invalid, and the reason; "" if all are valid.
func (f Fragment) wrong() (member, msg string) {
	switch {
	case f.ID == "":
		return "id", "id is missing"
	case !schema.ValidID(f.ID):
		return "id", fmt.Sprintf("%s is no id: letters, digits, -, _ and .", cut(f.ID))
	case f.Title == "":
		return "title", "title is missing"
	case f.Type == "":
		return "type", "type is missing: one of " + strings.Join(Types(), ", ")
	case !slices.Contains(Types(), f.Type):
		return "type", fmt.Sprintf("type %s is not one of %s", cut(f.Type), strings.Join(Types(), ", "))
	case !(f.Importance >= 0 && f.Importance <= 1):
		return "importance", fmt.Sprintf("importance %v is not between 0 and 1", f.Importance)
	case f.Created == "":
		return "created", "created is missing: a time such as 2026-11-20T09:30:00Z"
	case f.at().IsZero():
		return "created", fmt.Sprintf("created %s is no time such as 2026-11-20T09:30:00Z", cut(f.Created))
	case f.Session != "" && !schema.ValidID(f.Session):
		return "session", fmt.Sprintf("session %s is no id", cut(f.Session))
	}
	return "", ""
}

// mended returns f with the values needed to list it. Missing and invalid ones are
// derived from the others, and from the file name last.
func (f Fragment) mended() Fragment {
	file := strings.TrimSuffix(path.Base(f.Name), path.Ext(f.Name))
	if !schema.ValidID(f.ID) {
		f.ID = schema.DerivedID("frag-", []byte(f.Name))
	}
	f.Title = cmp.Or(f.Title, heading(f.Body), oneLine(file), f.ID)
	if !slices.Contains(Types(), f.Type) {
		f.Type = Reference
	}
	if math.IsNaN(f.Importance) {
		f.Importance = unsaid
	}
	f.Importance = min(max(f.Importance, 0), 1)
	if !schema.ValidID(f.Session) {
		f.Session = ""
	}
	switch at := f.at(); {
	case at.IsZero() && len(file) >= len(time.DateOnly):
		at, _ := time.Parse(time.DateOnly, file[:len(time.DateOnly)])
		f.Created = ""
		if !at.IsZero() {
			f.Created = at.Format(time.RFC3339)
		}
	case at.IsZero():
		f.Created = ""
	case len(f.Created) == len(time.DateOnly):
		f.Created = at.Format(time.RFC3339)
	}
	return f
}

// at returns the creation time of f: a time, or a day, or the zero time if neither is
// given.
func (f Fragment) at() time.Time {
	at, err := schema.ParseTime(f.Created)
	if err != nil {
		at, _ = time.Parse(time.DateOnly, f.Created)
	}
	return at
}

// normal returns f in the form in which it is stored: texts on one line, each tag once, a
// body without blank lines around it.
func (f Fragment) normal() Fragment {
	f.ID, f.Title, f.Type = oneLine(f.ID), oneLine(f.Title), oneLine(f.Type)
	f.Created, f.Session = oneLine(f.Created), oneLine(f.Session)
	f.Tags, f.Entities = each(f.Tags), each(f.Entities)
	f.Body = strings.Trim(strings.ToValidUTF8(f.Body, "\ufffd"), "\r\n")
	return f
}

// each returns the texts of a list, each on one line and once.
func each(list []string) []string {
	var kept []string
	seen := map[string]bool{}
	for _, text := range list {
		if text = oneLine(text); text != "" && !seen[text] {
			seen[text] = true
			kept = append(kept, text)
		}
	}
	return kept
}

// heading returns the first heading of a markdown text outside of code, "" for none.
func heading(body string) string {
	code := false
	for line := range strings.Lines(body) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "```") || strings.HasPrefix(line, "~~~") {
			code = !code
		}
		text := strings.TrimLeft(line, "#")
		if signs := len(line) - len(text); !code && signs > 0 && signs <= 6 && strings.HasPrefix(text, " ") {
			if text = oneLine(strings.TrimRight(text, "# ")); text != "" {
				return text
			}
		}
	}
	return ""
}

// oneLine returns s on one line, without hidden characters.
func oneLine(s string) string {
	return text.OneLine(strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case text.Hidden(r):
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, "\ufffd")))
}

// cut returns a stranger's text, shortened for a message.
func cut(text string) string {
	const most = 60
	if r := []rune(text); len(r) > most {
		return fmt.Sprintf("%q…", string(r[:most]))
	}
	return fmt.Sprintf("%q", text)
}

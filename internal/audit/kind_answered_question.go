package audit

import (
	"fmt"

	"github.com/forgemind/forgemind/schema"
)

var answeredQuestion = Kind{
	Name:    "answered-question",
	Summary: "A question is answered, and still listed as open.",
	look: func(s *survey) {
		_, questions := s.waiting()
		for _, q := range questions {
			at := fmt.Sprintf("/open_questions/%d", q.index)
			a, ok := s.answered(q.Question)
			if !ok && concluded(q.Status) {
				at += "/status"
				a, ok = answer{s.spot(q.name, at).evidence(q.Status), 70}, true
			}
			if !ok {
				continue
			}
			message := "the question " + title(q.ID, q.Question.Question) + " is answered, and still open"
			if asked, err := schema.ParseTime(q.AskedAt); err == nil {
				message += " since " + day(asked)
			}
			s.add(s.spot(q.name, at), a.sure, title(q.ID, q.Question.Question), message,
				"close it with forgemind question answer, which also frees what waits for it", a.at, Evidence{Text: q.Question.Question})
		}
	},
}

// title returns the id of a record, or its text if it has none.
func title(id, text string) string {
	if id != "" {
		return plain(id)
	}
	return fmt.Sprintf("%q", quote(text))
}

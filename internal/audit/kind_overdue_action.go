package audit

import (
	"fmt"
	"strings"

	"github.com/forgemind/forgemind/schema"
)

var overdueAction = Kind{
	Name:    "overdue-action",
	Summary: "An action is past due.",
	look: func(s *survey) {
		actions, _ := s.waiting()
		for _, a := range actions {
			due, err := schema.ParseTime(a.Due)
			if err != nil || !due.Before(s.o.Now) {
				continue
			}
			low := 50
			if strings.EqualFold(a.Priority, "P0") || strings.EqualFold(a.Priority, "high") || strings.EqualFold(a.Priority, "critical") {
				low = 60
			}
			late := s.o.Now.Sub(due)
			at := s.spot(a.name, fmt.Sprintf("/pending_actions/%d/due", a.index))
			s.add(at, aged(low, 90, late, 60), title(a.ID, a.Action.Action),
				fmt.Sprintf("the action %s was due on %s, %s ago", title(a.ID, a.Action.Action), day(due), days(late)),
				"do it, give it another date, or take it off the list with forgemind action done", at.evidence(a.Action.Action))
		}
	},
}

package audit

import (
	"fmt"
	"strings"
	"time"

	"github.com/forgemind/forgemind/schema"
)

var idleHandoff = Kind{
	Name:    "idle-handoff",
	Summary: "A handoff that nobody read or archived.",
	look: func(s *survey) {
		for _, h := range s.handoffs {
			created, err := schema.ParseTime(h.value.Created)
			age := s.o.Now.Sub(created)
			if err != nil || age <= idle || strings.EqualFold(h.value.Status, "archived") || strings.Contains(h.name, "/archive/") {
				continue
			}
			to, at := "nobody in particular", s.spot(h.name, "/created")
			if h.value.To != "" {
				to = plain(h.value.To)
			}
			s.add(at, aged(50, 75, age-idle, 60), h.value.ID, fmt.Sprintf("the handoff %s to %s is %s old, and not archived", plain(h.value.ID), to, days(age)),
				"read it, carry over what it says, then forgemind handoff archive", at.evidence(h.value.Task))
		}
	},
}

// idle is the time after which a handoff is stale.
const idle = 14 * 24 * time.Hour

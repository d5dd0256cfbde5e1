package triggers

import "github.com/forgemind/forgemind/schema"

// ValuesOf returns the values of a State that conditions use.
func ValuesOf(s *schema.State) Values {
	var v Values
	if s.Metadata != nil {
		v.SessionID = s.Metadata.SessionID
	}
	if p := s.Project; p != nil {
		v.Layer, v.LayerName, v.Status, v.Clarity = int(p.CurrentLayer), p.LayerName, p.Status, p.Clarity
	}
	if s.ContextWindow != nil {
		v.Usage = s.ContextWindow.UsagePercent
	}
	return v
}

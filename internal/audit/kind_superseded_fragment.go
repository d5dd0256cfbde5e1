package audit

var supersededFragment = Kind{
	Name:    "superseded-fragment",
	Summary: "A fragment of long-term memory keeps a decision that was superseded.",
	look: func(s *survey) {
		for _, f := range s.fragments {
			s.mentions(f, 70, 60)
		}
	},
}

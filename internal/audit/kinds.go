package audit

// A Kind is one way in which a document becomes stale.
type Kind struct {
	Name    string
	Summary string

	look func(*survey)
}

// Kinds lists the kinds, in the order in which they speak.
func Kinds() []Kind {
	return []Kind{
		supersededReference, contextBehind, uncondensedThread, editedCondensation, unrecordedCondensation, saidSince, movedFile, answeredQuestion, overdueAction, unblockedAction,
		contradiction, oddTime, danglingPin, supersededPin, idleHandoff, danglingSupersedes, supersededFragment, unrelatedDecisions,
	}
}

// NotChecked names what Report.NotChecked holds. It is none of Kinds: nothing of it is stale.
var NotChecked = Kind{Name: "not-checked", Summary: "A check that was not made: that it found nothing says nothing."}

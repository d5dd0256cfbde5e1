package audit

// A Kind is a kind of staleness.
type Kind struct {
	Name    string
	Summary string

	look func(*survey)
}

// Kinds returns the kinds, in the order of their checks.
func Kinds() []Kind {
	return []Kind{
		supersededReference, contextBehind, uncondensedThread, saidSince, movedFile, answeredQuestion, overdueAction, unblockedAction,
		contradiction, oddTime, danglingPin, supersededPin, idleHandoff, danglingSupersedes, supersededFragment, changedSource,
	}
}

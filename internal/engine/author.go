package engine

// actor returns who acts: the agent that the change names, else the author.
func (r *round) actor() string {
	if r.event.Agent != "" {
		return r.event.Agent
	}
	return r.author()
}

// unknownAuthor names an author of whom nothing is known.
const unknownAuthor = "unknown"

// editor returns who edits files by hand, as far as that is known.
func (r *round) editor() string {
	name, err := r.tree.authorName()
	if err != nil {
		return unknownAuthor
	}
	return name
}

// sign writes who acts into an empty field.
func (r *round) sign(field *string) {
	if *field == "" {
		*field = r.actor()
	}
}

// author returns the author. Where the system does not give one the whole change
// fails at its end, so that nothing is recorded under a wrong name.
func (r *round) author() string {
	name, err := r.tree.authorName()
	if err != nil {
		r.unsigned = err
	}
	return name
}

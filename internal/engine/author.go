package engine

// Actor returns the agent that the change names, or else the author.
func (r *WorkingSet) Actor() string {
	if r.event.Agent != "" {
		return r.event.Agent
	}
	return r.author()
}

// Sign sets an empty field to the name of the actor.
func (r *WorkingSet) Sign(field *string) {
	if *field == "" {
		*field = r.Actor()
	}
}

// author returns the author. If the system does not give one, the whole change fails at
// its end, so that nothing is recorded under a wrong name.
func (r *WorkingSet) author() string {
	name, err := r.tree.authorName()
	if err != nil {
		r.unsigned = err
	}
	return name
}

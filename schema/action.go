package schema

import "encoding/json"

// An Action is something still to be done. A hot context may contain it as a string,
// which becomes the Action's text. An Action with no other members is written as a
// string.
type Action struct {
	ID               string  `json:"id,omitzero"`
	Action           string  `json:"action"`
	Priority         string  `json:"priority,omitzero"`
	Layer            *Int    `json:"layer,omitzero"`
	BlockedBy        IDs     `json:"blocked_by,omitzero"` // ids or free text
	EstimatedMinutes float64 `json:"estimated_time_minutes,omitzero"`
	AssignedTo       string  `json:"assigned_to,omitzero"`
	CreatedBy        string  `json:"created_by,omitzero"`
	Created          string  `json:"created,omitzero"`
	Due              string  `json:"due,omitzero"`
	Origin           string  `json:"origin,omitzero"`  // OriginDetected if a message stated it
	Message          string  `json:"message,omitzero"` // the id of that message
	Claim            *Claim  `json:"claim,omitzero"`
}

// UnmarshalJSON reads a string or an object.
func (a *Action) UnmarshalJSON(src []byte) error {
	*a = Action{}
	return unmarshal(src, &a.Action,
		as(&a.ID, "id"), as(&a.Action, "action"), as(&a.Priority, "priority"), as(&a.Layer, "layer"),
		as(&a.BlockedBy, "blocked_by"), as(&a.EstimatedMinutes, "estimated_time_minutes"),
		as(&a.AssignedTo, "assigned_to"), as(&a.CreatedBy, "created_by"),
		as(&a.Created, "created"), as(&a.Due, "due"),
		as(&a.Origin, "origin"), as(&a.Message, "message"), as(&a.Claim, "claim"))
}

// MarshalJSON writes an Action that has only a text as a string.
func (a Action) MarshalJSON() ([]byte, error) {
	type object Action
	bare := a
	bare.Action = ""
	text, err := json.Marshal(object(bare))
	if err == nil && string(text) == `{"action":""}` {
		return json.Marshal(a.Action)
	}
	return json.Marshal(object(a))
}

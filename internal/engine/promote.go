package engine

import (
	"context"
	"fmt"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/extract"
	"github.com/forgemind/forgemind/internal/records"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/schema"
)

// A Detection is a statement that was found in a message.
type Detection struct {
	Message schema.Message
	extract.Statement
}

// Detections returns the statements of a class in messages, in their order: those that
// the text makes, by the bosses and phrases of the tree, or the decision that the
// message records.
func Detections(r fs.Reader, messages []schema.Message, class string) ([]Detection, error) {
	config, err := readConfig(r)
	if err != nil {
		return nil, err
	}
	return detections(config, messages, class), nil
}

func detections(config schema.Config, messages []schema.Message, class string) (found []Detection) {
	for _, m := range messages {
		if d, ok := session.DetectedIn(m); ok && class == extract.ClassDecision {
			found = append(found, Detection{m, extract.Statement{Class: class, Text: d.Decision, Rationale: d.Rationale, Confidence: d.Confidence}})
			continue
		}
		if s, ok := extract.StatementOf(extract.Statements(m, bosses(config), phrases(config)), class); ok {
			found = append(found, Detection{m, s})
		}
	}
	return found
}

// Promote records a detected decision: of a message of the conversation, or of a
// commit, from which an import made a note. It is recorded in the Ledger and in the hot
// context, with the author of the message as its maker.
func (t *Tree) Promote(ctx context.Context, message, agent string) (schema.Decision, Outcome, error) {
	var recorded schema.Decision
	if note, err := records.Note.In(fs.Forgemind).Get(t.Tree, message); err == nil && note.InForce() && note.Members.Text("origin") == schema.OriginDetected {
		out, err := t.Change(ctx, agent, func(r *WorkingSet) error {
			recorded, err = r.promoteNote(message, agent)
			return err
		})
		return recorded, out, err
	}
	out, err := t.do(ctx, func(r *WorkingSet) error {
		r.event.Agent = agent
		messages, err := r.messagesHere()
		if err != nil {
			return err
		}
		d, err := detectedBy(detections(r.config, messages, extract.ClassDecision), messages, message)
		if err != nil {
			return err
		}
		m := d.Message
		recorded = schema.Decision{
			ID:       schema.DerivedID("DEC-", []byte(m.ID+"\n"+m.Content)), // the id that a trigger would give it
			Decision: d.Text, Rationale: d.Rationale, Timestamp: m.Timestamp, DecisionMaker: m.Agent,
			RecordedBy: agent, Origin: schema.OriginDetected, Confidence: d.Confidence,
		}
		return r.Decide(&recorded, "")
	})
	return recorded, out, err
}

// messagesHere returns the messages of the active session with its archive, or those of a
// conversation without a session.
func (r *WorkingSet) messagesHere() ([]schema.Message, error) {
	l, err := r.openLive()
	if err != nil {
		return nil, err
	}
	if l != nil {
		return l.messages(), nil
	}
	_, src, err := r.conversation()
	return session.Join(session.Messages(session.Read(src))), err
}

// detectedBy returns the detection of the message with the given id.
func detectedBy(found []Detection, messages []schema.Message, id string) (Detection, error) {
	known := make([]string, 0, len(found))
	for _, d := range found {
		if d.Message.ID == id {
			return d, nil
		}
		known = append(known, d.Message.ID)
	}
	for _, m := range messages {
		if m.ID == id {
			return Detection{}, fmt.Errorf("message %.60q states no decision that was detected", id)
		}
	}
	return Detection{}, &session.UnknownError{What: "message with a detected decision", Which: id, Known: known}
}

// promoteNote records the decision of a note, and removes the note.
func (r *WorkingSet) promoteNote(id, agent string) (schema.Decision, error) {
	note, err := records.Note.In(fs.Forgemind).Get(r.tx, id)
	if err != nil {
		return schema.Decision{}, err
	}
	var n struct {
		schema.NoteRecord
		Confidence float64 `json:"confidence"`
	}
	if err := note.Decode(&n); err != nil {
		return schema.Decision{}, err
	}
	d := schema.Decision{
		ID: schema.DerivedID("DEC-", []byte(id+"\n"+n.Note)), Decision: n.Note, Rationale: n.Rationale, Timestamp: n.Created, DecisionMaker: n.By,
		RecordedBy: agent, Origin: schema.OriginDetected, Confidence: n.Confidence,
	}
	if err := r.ChangeRecord(note, records.Removed, map[string]any{"status": records.Removed}); err != nil {
		return d, err
	}
	return d, r.Decide(&d, "")
}

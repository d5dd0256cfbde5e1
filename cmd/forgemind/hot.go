package main

import (
	"cmp"
	"errors"
	"fmt"
	iofs "io/fs"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/internal/state"
	"github.com/forgemind/forgemind/internal/views"
	"github.com/forgemind/forgemind/schema"
)

// hotFlags are the flags of a command that changes a hot context, behind its
// own.
func hotFlags(own ...cli.Flag) []cli.Flag {
	return append(own,
		&cli.StringFlag{Name: "agent", Usage: "who does it (`NAME`)"},
		ifVersionFlag(), formatFlag(), dryRunFlag())
}

// ifVersionFlag is `--if-version`, which every command has that changes a hot
// context.
func ifVersionFlag() cli.Flag {
	return &cli.IntFlag{Name: "if-version", Usage: "only if the hot context is at version `N`", DefaultText: "any"}
}

// said is the first argument, which must say something.
func said(c *cli.Context, what string) (string, error) {
	text := strings.TrimSpace(c.Args().First())
	if text == "" {
		return "", &usageError{c.Command.HelpName + ": the " + what + " says nothing", usageLine(c.Command)}
	}
	return text, nil
}

// changedHot is changed for an item of a hot context, whose version JSON tells as
// well.
func (p *program) changedHot(c *cli.Context, out engine.Outcome, headline string, item any) error {
	if !wantsJSON(c) {
		return p.changed(c, out, headline, item)
	}
	p.warn(out)
	text, err := jsonedit.Marshal(item)
	if err == nil && out.Version > 0 {
		text, err = jsonedit.Set(text, "/version", fmt.Appendf(nil, "%d", out.Version))
	}
	if err != nil {
		return err
	}
	_, err = p.out.Write(text)
	return err
}

// readHot reads the hot context of the active session; see hotOf. Of what cannot be
// read in it people are told.
func (p *program) readHot(c *cli.Context) (schema.HotContext, error) {
	tree, err := p.readTree(c)
	if err != nil {
		return schema.HotContext{}, err
	}
	defer tree.Close()
	_, faults := views.Read(tree)
	for _, f := range faults {
		p.note("forgemind: warning: %s is no record that can be read: %s", inline(p.at(f.Name)), inline(f.Err.Error()))
	}
	return p.hotOf(tree)
}

// hotOf is readHot of an open tree. Where no session is active it is the hot
// context of the latest one, and without any session what is in force in the project.
func (p *program) hotOf(tree *fs.Tree) (schema.HotContext, error) {
	var hot schema.HotContext
	id, _, err := session.InForce(tree)
	if err != nil {
		return hot, err
	}
	if id == "" {
		return views.Project(tree)
	}
	name := session.HotContext(id)
	src, err := tree.Read(name)
	if errors.Is(err, iofs.ErrNotExist) {
		return hot, nil
	}
	if err != nil {
		return hot, err
	}
	h, err := session.ReadHot(src)
	if err != nil {
		return hot, withHint(fmt.Errorf("%s: %w", p.at(name), err), "'forgemind validate' says what is wrong with it")
	}
	p.noteUnread(tree, name)
	return h.Context(), nil
}

// noteUnread tells people why a view cannot be read in whole, if it cannot.
func (p *program) noteUnread(tree *fs.Tree, name string) {
	if unread := views.FindUnread(tree, name); unread != nil {
		p.note("forgemind: warning: %s; 'forgemind validate' says more", inline(unread.About(p.at(name))))
	}
}

// readBoth reads the State and the hot context of the active session. What the
// tree has not is empty; state.ErrNoState is one without a State and a session.
func (p *program) readBoth(c *cli.Context) (schema.State, schema.HotContext, error) {
	s, stateless := p.readState(c)
	if stateless != nil && !errors.Is(stateless, state.ErrNoState) {
		return s, schema.HotContext{}, stateless
	}
	hot, err := p.readHot(c)
	switch {
	case err != nil && stateless == nil: // the State is no worse for it
		p.note("forgemind: warning: the hot context cannot be read: %s", inline(err.Error()))
		return s, hot, nil
	case err == nil && hot.ConversationID == "" && hot.Version == 0 && !p.hasQuaid(c):
		err = stateless
	}
	return s, hot, err
}

// hasQuaid reports whether the tree has the folder of sessions.
func (p *program) hasQuaid(c *cli.Context) bool {
	tree, err := p.readTree(c)
	if err != nil {
		return false
	}
	defer tree.Close()
	_, err = tree.Look(fs.Quaid)
	return err == nil
}

// itemLine is an item of a list for people.
func itemLine(id, text string, about ...string) string {
	return short(cmp.Or(id, "-"), 80) + "  " + short(text, 400) + signed(about...) + "\n"
}

// named is an item in a message for people: its id, if it has one, and its text.
func named(id, text string) string {
	if id == "" {
		return short(text, 400)
	}
	return inline(id) + ": " + inline(text)
}

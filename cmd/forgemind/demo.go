package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"sync"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/refresh"
)

func (p *program) demoCommand() *cli.Command {
	return &cli.Command{
		Name:  "demo",
		Usage: "Show an example in a temporary directory",
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "keep", Usage: "keep the directory"},
		},
		Action: takes(0, 0, p.demo),
	}
}

// A day is the demonstration: a tree, its watcher, and what was heard of it.
type day struct {
	p    *program
	ctx  context.Context
	root string

	mu    sync.Mutex
	heard []refresh.Occurrence
	news  chan struct{}
}

func (p *program) demo(c *cli.Context) error {
	root, err := os.MkdirTemp("", "forgemind-demo-")
	if err != nil {
		return err
	}
	if !c.Bool("keep") {
		defer os.RemoveAll(root)
	}
	ctx, stop := context.WithCancel(c.Context)
	defer stop()
	d := &day{p: p, ctx: ctx, root: root, news: make(chan struct{}, 1)}
	if err := d.begin(); err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- d.watch() }()
	err = d.play()
	stop()
	if watching := <-ended; err == nil {
		err = watching
	}
	if err == nil && c.Bool("keep") {
		p.printf("\nthe tree is in %s\n", root)
	}
	return err
}

// begin makes the tree.
func (d *day) begin() error {
	d.p.printf("a new tree: forgemind init\n")
	tree, err := d.p.open(d.root, false)
	if err != nil {
		return err
	}
	defer tree.Close()
	_, err = d.p.makeTree(d.ctx, tree, treeChoice{"both", localViews, false})
	return err
}

// watch is the watcher, as `forgemind watch` runs it.
func (d *day) watch() error {
	tree, err := d.p.open(d.root, false)
	if err != nil {
		return err
	}
	defer tree.Close()
	return refresh.Watch(d.ctx, tree, false, func(o refresh.Occurrence) {
		d.mu.Lock()
		d.heard = append(d.heard, o)
		d.mu.Unlock()
		if o.Event != refresh.Changed {
			d.p.printf("    watch: %s\n", d.p.occurrenceText(o))
		}
		select {
		case d.news <- struct{}{}:
		default:
		}
	})
}

// play is the working day. Each step waits for what the watcher says to it.
func (d *day) play() error {
	if err := d.expect("the watcher", refresh.Ready, ""); err != nil {
		return err
	}
	for _, step := range []struct {
		story string
		do    func() error
		event string
		what  string // trigger or file of the event
	}{
		{"an editor moves the project to layer 1, and forgets the layer's name", d.save(`"current_layer": 0`, `"current_layer": 1`), refresh.Valid, fs.State},
		{"an agent makes a slip: a comma is lost", d.save(`"current_layer": 1,`, `"current_layer": 1`), refresh.Invalid, fs.State},
		{"and mends it", d.save(`"current_layer": 1`, `"current_layer": 1,`), refresh.Valid, fs.State},
		{"clarity grows: forgemind clarity 40", d.command("clarity", "40"), "", ""},
		{"the boss decides: forgemind decision add … --priority high", d.command("decision", "add", "Keep the six layers", "--rationale", "Large systems need them", "--priority", "high"), "", ""},
		{"is all well? forgemind validate", d.command("validate"), "", ""},
	} {
		d.p.printf("\n%s\n", step.story)
		d.forget()
		if err := step.do(); err != nil {
			return err
		}
		if step.event != "" {
			if err := d.expect(step.story, step.event, step.what); err != nil {
				return err
			}
		}
	}
	return nil
}

// save is an editor's save: it knows nothing of forgemind's rules.
func (d *day) save(old, new string) func() error {
	return func() error {
		editor, err := fs.Open(d.root)
		if err != nil {
			return err
		}
		defer editor.Close()
		return editor.Update(d.ctx, fs.State, func(src []byte) ([]byte, error) {
			return bytes.Replace(src, []byte(old), []byte(new), 1), nil
		})
	}
}

// command runs a command of forgemind on the tree.
func (d *day) command(args ...string) func() error {
	return func() error {
		inner := *d.p
		inner.Getwd = func() (string, error) { return d.root, nil }
		inner.Stdout = indented{d.p.out}
		inner.Stderr = indented{d.p.err}
		if code := inner.run(d.ctx, append([]string{"forgemind"}, args...)); code != exitDone {
			return fmt.Errorf("the command %s ended with code %d", args[0], code)
		}
		return nil
	}
}

func (d *day) forget() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.heard = nil
}

// expect waits until the watcher has told of an event.
func (d *day) expect(story, event, what string) error {
	late := time.After(10 * time.Second)
	for {
		d.mu.Lock()
		for _, o := range d.heard {
			if o.Event == event && (what == "" || o.Trigger == what || o.File == what) {
				d.mu.Unlock()
				return nil
			}
		}
		d.mu.Unlock()
		select {
		case <-d.news:
		case <-late:
			return fmt.Errorf("%s: the watcher did not tell of %q within 10 s", story, event)
		case <-d.ctx.Done():
			return d.ctx.Err()
		}
	}
}

// An indented writer sets what it writes in by four spaces.
type indented struct {
	w interface{ Write([]byte) (int, error) }
}

func (i indented) Write(b []byte) (int, error) {
	for line := range bytes.Lines(b) {
		if _, err := i.w.Write(append([]byte("    "), line...)); err != nil {
			return 0, err
		}
	}
	return len(b), nil
}

package main

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/forgemind/forgemind/internal/cold"
	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/schema"
)

// A coldFinding is something that is wrong in cold storage.
type coldFinding struct {
	File    string `json:"file"`
	Line    int    `json:"line"` // 1-based; 0 where it is the file
	Message string `json:"message"`
	Hint    string `json:"hint,omitempty"`
}

func (p *program) verifyCold(c *cli.Context) error {
	tree, err := p.readTree(c)
	if err != nil {
		return err
	}
	defer tree.Close()
	faults, counted, err := cold.Verify(tree, tellsOfCompaction)
	if err != nil {
		return err
	}
	findings := []coldFinding{}
	for _, f := range faults {
		findings = append(findings, coldFinding{f.Name, f.Line, short(f.Err.Error(), 400), f.Hint})
	}
	if wantsJSON(c) {
		err = p.printJSON(struct {
			Version     int           `json:"version"`
			Files       int           `json:"files"`
			Chunks      int           `json:"chunks"`
			Compactions int           `json:"compactions"`
			Expired     int           `json:"expired"`
			Reset       int           `json:"reset"`
			Findings    []coldFinding `json:"findings"`
		}{1, counted.Files, counted.Chunks, counted.Compactions, counted.Expired, counted.Reset, findings})
	} else {
		for _, f := range findings {
			p.printf("%s\n", inline(p.located(f)))
			if f.Hint != "" {
				p.printf("  %s\n", inline(f.Hint))
			}
		}
		var away []string
		if counted.Expired > 0 {
			away = append(away, fmt.Sprintf("%d expired", counted.Expired))
		}
		if counted.Reset > 0 {
			away = append(away, fmt.Sprintf("%d reset", counted.Reset))
		}
		known := ""
		if len(away) > 0 {
			known = " (" + strings.Join(away, ", ") + ")"
		}
		p.note("%s in %s, %s%s, %s", count(counted.Chunks, "chunk"), count(counted.Files, "file"),
			count(counted.Compactions, "compaction"), known, count(len(findings), "finding"))
	}
	if err == nil && len(findings) > 0 {
		err = errFindings
	}
	return err
}

// located is a finding with its place before it.
func (p *program) located(f coldFinding) string {
	if f.Line == 0 {
		return p.at(f.File) + ": " + f.Message
	}
	return fmt.Sprintf("%s:%d: %s", p.at(f.File), f.Line, f.Message)
}

// tellsOfCompaction says whether a line of a conversation stands for what a
// compaction took out.
func tellsOfCompaction(line []byte) (cold.Compaction, bool) {
	c, ok := session.LastCompaction(session.Read(line))
	return cold.Compaction{ID: c.ID, Session: c.Session, Lines: c.Lines, Kept: c.Kept}, ok
}

// An expiredFile is a file of cold storage whose time is over.
type expiredFile struct {
	ID     string `json:"id"` // of the compaction
	File   string `json:"file"`
	Chunks int    `json:"chunks"`
	Until  string `json:"recoverable_until"`
	Trash  string `json:"trash,omitempty"` // where it is now
}

func (p *program) expireCold(c *cli.Context) error {
	return p.onTree(c, func(tree *engine.Tree) error {
		expired, faults, out, err := tree.Expire(c.Context)
		if err != nil {
			return err
		}
		var unseen error
		for _, f := range faults {
			unseen = errors.Join(unseen, fmt.Errorf("%s cannot be looked at, and stays: %w", p.at(f.Name), f.Err))
		}
		files := []expiredFile{}
		for _, e := range expired {
			f := expiredFile{ID: e.Compaction, File: e.Name, Chunks: e.Chunks, Until: schema.FormatTime(e.Until)}
			if !c.Bool("dry-run") {
				f.Trash, _ = cold.Trash(tree.Tree, e.Name)
			}
			files = append(files, f)
		}
		p.warn(out)
		if wantsJSON(c) {
			return errors.Join(unseen, p.printJSON(struct {
				Version int           `json:"version"`
				DryRun  bool          `json:"dry_run"`
				Expired []expiredFile `json:"expired"`
			}{1, c.Bool("dry-run"), files}))
		}
		if len(files) == 0 && unseen == nil {
			p.printf("nothing in cold storage is past its time\n")
		}
		for _, f := range files {
			verb, to := "moved", cmp.Or(p.at(f.Trash), "the trash")
			if c.Bool("dry-run") {
				verb = "would move"
			}
			p.printf("%s %s to %s: %s, kept until %s\n", verb, inline(p.at(f.File)), inline(to), count(f.Chunks, "chunk"), f.Until)
		}
		return unseen
	})
}

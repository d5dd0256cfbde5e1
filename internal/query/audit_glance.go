package query

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash"
	"slices"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/audit"
	"github.com/forgemind/forgemind/internal/git"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/internal/views"
	"github.com/forgemind/forgemind/schema"
)

// An AuditGlance is what an audit came to, in short, for those who cannot wait
// for one.
type AuditGlance struct {
	At         string      `json:"at,omitempty"` // when it was made; "" is just now
	Current    bool        `json:"current"`      // nothing that it looked at changed since
	Documents  int         `json:"documents"`
	Commits    int         `json:"commits"`
	Stale      int         `json:"stale"`
	Kinds      []StaleKind `json:"kinds"` // of what is stale, the heaviest first
	NotChecked []audit.Gap `json:"not_checked,omitempty"`
}

// A StaleKind is how much of one kind is stale.
type StaleKind struct {
	Kind  string `json:"kind"`
	Count int    `json:"count"`
	Score int    `json:"score"` // the highest
	First string `json:"first"` // the message of the heaviest
	File  string `json:"file"`  // where that stands
}

// A keptAudit is an AuditGlance as it is kept, with what it saw.
type keptAudit struct {
	Version int         `json:"version"`
	Saw     string      `json:"saw"`
	Glance  AuditGlance `json:"glance"`
}

const (
	keptAuditVersion = 2
	// An audit of so much takes a few milliseconds, so that it is made anew.
	fewDecisions = 200
	fewDocuments = 400
	fewBytes     = 1 << 20
	// keptFor is how long a kept audit holds, for some things grow stale by time alone.
	keptFor = 24 * time.Hour
)

func keptAuditName() string { return fs.LocalName(fs.Forgemind, "index", "audit.json") }

// AuditAndKeep is Audit of a whole tree with its history, and keeps what Glance
// shows of it. A tree that cannot be written to, or that changed meanwhile, does
// without.
func AuditAndKeep(ctx context.Context, tree *fs.Tree, o audit.Options) (audit.Report, error) {
	before, head := stampDocuments(tree), headOf(ctx, tree.Root())
	report, err := Audit(ctx, tree, o)
	if err != nil || o.Since != "" || o.Repo || o.Root == "" || before.sum == "" {
		return report, err
	}
	if after := stampDocuments(tree); after.sum != before.sum || !after.settled || report.Checked == 0 {
		return report, nil
	}
	g := glanceOf(report)
	g.At = schema.FormatTime(o.Now)
	if text, err := jsonedit.Marshal(keptAudit{keptAuditVersion, before.sum + " " + head, g}); err == nil {
		_ = tree.Derive(keptAuditName(), text) // without it a glance says less, that is all
	}
	return report, nil
}

// Glance says what is known of what is stale in a tree, as of now: the last audit
// that was kept, or, of a small tree that changed since, an audit without git.
// It looks while the caller does something else; what it returns waits for it, and
// is told how many decisions the tree has. False: nobody looked.
func Glance(ctx context.Context, tree *fs.Tree, now time.Time) func(decisions int) (AuditGlance, bool) {
	var kept keptAudit
	src, err := tree.Read(keptAuditName())
	known := err == nil && jsonedit.Decode(src, &kept) == nil && kept.Version == keptAuditVersion
	saw, head := make(chan seen, 1), make(chan string, 1)
	if known {
		go func() { head <- headOf(ctx, tree.Root()) }()
		go func() { saw <- stampDocuments(tree) }()
	}
	return func(decisions int) (AuditGlance, bool) {
		if !known {
			if decisions > fewDecisions {
				return AuditGlance{}, false
			}
			saw <- stampDocuments(tree)
		}
		saw := <-saw
		if known {
			at, err := schema.ParseTime(kept.Glance.At)
			age := now.Sub(at)
			kept.Glance.Current = err == nil && age >= 0 && age <= keptFor && saw.sum != "" && kept.Saw == saw.sum+" "+<-head
			if kept.Glance.Current {
				return kept.Glance, true
			}
		}
		if saw.documents <= fewDocuments && saw.bytes <= fewBytes && decisions <= fewDecisions {
			if report, err := Audit(ctx, tree, audit.Options{Now: now}); err == nil {
				g := glanceOf(report)
				g.Current = true
				return g, true
			}
		}
		return kept.Glance, known
	}
}

// glanceOf is a report in short.
func glanceOf(report audit.Report) AuditGlance {
	g := AuditGlance{Documents: report.Checked, Commits: report.Commits, Stale: len(report.Findings), Kinds: []StaleKind{}, NotChecked: report.NotChecked}
	for _, f := range report.Findings {
		i := slices.IndexFunc(g.Kinds, func(k StaleKind) bool { return k.Kind == f.Kind })
		if i < 0 {
			i = len(g.Kinds)
			g.Kinds = append(g.Kinds, StaleKind{Kind: f.Kind, Score: f.Score, First: f.Message, File: f.File})
		}
		g.Kinds[i].Count++
	}
	return g
}

// headOf is the commit that a working copy is at; "" where there is none.
func headOf(ctx context.Context, root string) string {
	id, err := git.Head(ctx, root)
	if err != nil {
		return ""
	}
	return id
}

// Seen is which versions of its documents a tree has.
type seen struct {
	sum       string // "" where that cannot be said
	documents int    // but decisions
	bytes     int64
	folders   int64 // bytes of directories: what their entries take
	settled   bool  // as long as sum is the same, they are

	tree   *fs.Tree
	hash   hash.Hash
	failed bool
	line   []byte
}

// stampDocuments takes the stamps of what an audit reads. Of the Ledger and of other
// records, whose files are written once, it is that of the directory.
func stampDocuments(tree *fs.Tree) seen {
	s := seen{tree: tree, hash: sha256.New(), settled: true}
	for _, home := range []string{fs.Forgemind, fs.Quaid} {
		threads := home + "/threads"
		for _, dir := range []string{threads, home + "/condensations", home + "/handoffs", home + "/" + fs.ClarificationsDir, home + "/" + fs.MemoryDir, home + "/" + fs.MemoryDir + "/fragments"} {
			stamps, _, err := tree.Stamps(dir)
			s.take(dir, stamps, err)
		}
		if channels, err := tree.Entries(threads); err == nil {
			slices.SortFunc(channels, func(a, b fs.Entry) int { return cmp.Compare(a.Name, b.Name) })
			for _, channel := range channels {
				if channel.Dir {
					s.stampChannel(channel.Name)
				}
			}
		}
		pins, _, err := tree.StampsBelow(home+"/channels", "pins.json")
		s.take(home+"/channels", pins, err)
		projects, _, err := tree.StampsBelow(home+"/projects", "project.json", "CONTEXT.md")
		s.take(home+"/projects", projects, err)
		s.below(home+"/projects", 1)
		s.one(home + "/" + fs.DecisionsDir)
		s.one(home + "/" + fs.ClarificationsFile)
	}
	for _, dir := range views.RecordFolders() {
		s.one(dir)
	}
	s.one(fs.State)
	if id, err := session.Active(tree); err == nil && id != "" {
		for _, name := range []string{session.HotContext(id), session.MetadataFile(id), session.Window(id)} {
			s.one(name)
		}
	}
	if !s.failed {
		s.sum = hex.EncodeToString(s.hash.Sum(nil))
	}
	return s
}

// stampChannel takes the stamps of a channel's threads. Of the folder of a thread, whose
// files are written once, it is that of the folder.
func (s *seen) stampChannel(dir string) {
	stamps, _, err := s.tree.Stamps(dir)
	s.take(dir, stamps, err)
	threads, err := s.tree.Entries(dir)
	if err != nil {
		return
	}
	slices.SortFunc(threads, func(a, b fs.Entry) int { return cmp.Compare(a.Name, b.Name) })
	for _, thread := range threads {
		if thread.Dir {
			s.one(thread.Name)
		}
	}
}

// take takes the stamps of files in a directory. Where stamps would prove nothing
// the files are counted all the same.
func (s *seen) take(dir string, stamps []fs.Stamp, err error) {
	if err != nil {
		s.failed = true
		for name := range s.tree.Names(dir) {
			s.one(name)
		}
		return
	}
	for _, stamp := range stamps {
		s.documents++
		s.bytes += stamp.Size
		s.settled = s.settled && s.tree.Settled(stamp)
		s.line = append(append(s.line[:0], stamp.Name...), 0)
		for _, n := range [...]uint64{uint64(stamp.Size), uint64(stamp.Written), uint64(stamp.Changed), stamp.Inode, stamp.Device} {
			s.line = binary.LittleEndian.AppendUint64(s.line, n)
		}
		s.hash.Write(s.line)
	}
}

// one takes what is known of one name.
func (s *seen) one(name string) {
	fi, err := s.tree.Look(name)
	if err != nil {
		fmt.Fprintln(s.hash, name)
		return
	}
	if fi.IsDir() {
		s.folders += fi.Size()
	} else {
		s.documents++
		s.bytes += fi.Size()
	}
	written := fi.ModTime().UnixNano()
	s.settled = s.settled && s.tree.Settled(fs.Stamp{Written: written})
	fmt.Fprintln(s.hash, name, fi.Size(), written)
}

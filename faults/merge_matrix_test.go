//go:build linux

package faults_test

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// matrixBase are the commands that make the tree that both clones start from.
const matrixBase = `
init --layout both
projects new Gateway --phase Design
decision add "Tokens are signed with RS256" --project gateway
decision add "Ids are opaque"
goal add "Ship the login page"
goal add "Remove the old API"
constraint add "No plain HTTP"
constraint add "No new database"
question ask "Which cache do we use?"
question ask "Who rotates the keys?"
action add "Write the migration"
action add "Measure the latency"
remember "Staging keys rotate on Mondays"
file add api.md
handoff add Survey --from ann --to bob --summary "Three clients use v1"
thread open "Token lifetime" --channel proj-gateway --agent ann
thread post "Token lifetime" "An hour is enough." --agent bob
thread open "Cache choice" --channel proj-gateway --agent ann
message add "We begin with the gateway."
layer 1
`

// matrixCommands are the commands that write. %s is what tells one clone's words
// from the other's. Commands that edit people's own files, such as config set, are
// not among them.
var matrixCommands = strings.Split(`decision add "Retries stop after %s"
decision add "Logs go to %s" --priority high --project gateway
decision supersede "Ids are opaque" "Ids are %s"
goal add "Reach %s"
goal update Ship --status in-progress --agent %s
goal complete Remove
constraint add "No %s"
constraint remove database
question ask "Why %s?"
question answer "Which cache" "Redis %s"
question answer "Who rotates" %s
action add "Review %s"
action done Write
action done Measure
remember "Remember %s"
forget Mondays
file add %s.md
handoff add "Result %s" --from ann --to bob --summary Done
handoff archive Survey
thread open "Topic %s" --channel proj-gateway --agent ann
thread post "Token lifetime" "Half an hour, says %s." --agent %s
thread resolve "Cache choice"
condense "Token lifetime" --agent %s
condense "Token lifetime" --decision "%s minutes are enough"
memory add --type task "Lesson %s"
memory add --type task "Lesson of %s" --agent manager
projects new "Project %s"
projects new Billing --phase "Phase %s" --channel ops-%s --constraint "No %s"
projects set gateway --phase "Phase %s"
projects set gateway --constraint "No %s" --blocked "A review of %s"
layer 2
clarity 40
clarity 55
set /project/name "Name %s"
load api.md
message add "Said by %s"
message add "Decision: we pick %s, because it is small."
sessions new --title "Session %s"
sessions archive
facilitator end session
facilitator backtrack`, "\n")

// matrixRepository returns a repository with a branch for each command and clone:
// "<command>-<clone>" is the base and what that command wrote there. Attributes are
// removed, for a forge runs no merge driver.
func matrixRepository(t *testing.T, clones []string) string {
	t.Helper()
	base := newDir(t)
	git(t, base, "init", "--quiet", "--initial-branch", "main")
	file(t, base, "api.md", "# API\n\nOne endpoint.\n")
	perform(t, base, matrixBase)
	removeAttributes(t, base)
	git(t, base, "add", "--all")
	git(t, base, "commit", "--quiet", "--message", "Begin")
	for i, line := range matrixCommands {
		for _, clone := range clones {
			dir := copyTree(t, base) // with what this working copy knows, as where somebody works
			ran := forgemind(t, dir, matrixArguments(t, dir, line, clone)...)
			if ran.code != 0 {
				t.Fatalf("%v", ran)
			}
			removeAttributes(t, dir)
			git(t, dir, "add", "--all")
			git(t, dir, "commit", "--quiet", "--allow-empty", "--message", line)
			git(t, base, "fetch", "--quiet", dir, fmt.Sprintf("HEAD:refs/heads/%d-%s", i, clone))
		}
	}
	return base
}

// matrixArguments returns the arguments of a command. The commands that take an id
// alone get that of the item whose text is named.
func matrixArguments(t *testing.T, dir, line, clone string) []string {
	t.Helper()
	args := parse(line, "%s", clone)[0]
	switch noun := args[0]; noun + " " + args[1] {
	case "decision supersede", "question answer":
		list := succeed(t, dir, noun, "list").out
		for row := range strings.Lines(list) {
			if strings.Contains(row, args[2]) {
				args[2] = matrixID.FindString(row)
			}
		}
	}
	return args
}

var matrixID = regexp.MustCompile(`\b(DEC|Q)-[0-9A-Z]+`)

func removeAttributes(t *testing.T, dir string) {
	t.Helper()
	for name := range documents(t, dir) {
		if filepath.Base(name) == ".gitattributes" {
			os.Remove(filepath.Join(dir, name))
		}
	}
}

// conflicts returns the paths in which a merge of two branches conflicts.
func conflicts(t *testing.T, repository, ours, theirs string) []string {
	t.Helper()
	cmd := exec.Command("git", "-C", repository, "merge-tree", "--write-tree", "--name-only", "--no-messages", ours, theirs)
	out, err := cmd.Output()
	if code := cmd.ProcessState.ExitCode(); code > 1 {
		t.Fatalf("git merge-tree %s %s: %v", ours, theirs, err)
	}
	_, names, _ := strings.Cut(strings.TrimSpace(string(out)), "\n") // the first line is the tree
	return strings.Fields(names)
}

// conflicting are the documents in which two clones conflict today: several facts
// stand in each of them.
var conflicting = []string{
	".forgemind/memory/bob-notes.md",
	".forgemind/memory/facilitator-notes.md",
	".forgemind/memory/manager-notes.md",
	".forgemind/projects/billing/CONTEXT.md",
	".forgemind/projects/gateway/CONTEXT.md",
}

// TestMergeMatrix merges what each writing command left in one clone with what each
// of them left in another, without attributes and without configuration. No other
// documents than the known ones conflict; one that no longer does leaves the list.
func TestMergeMatrix(t *testing.T) {
	repository := matrixRepository(t, []string{"ann", "bob"})
	pairs, found := 0, map[string]int{}
	for i, ours := range matrixCommands {
		for j, theirs := range matrixCommands {
			paths := conflicts(t, repository, fmt.Sprintf("%d-ann", i), fmt.Sprintf("%d-bob", j))
			if len(paths) > 0 {
				pairs++
				t.Logf("%s × %s: %s", ours, theirs, paths)
			}
			for _, p := range paths {
				found[matrixDocument(p)]++
			}
		}
	}
	t.Logf("%d commands, %d pairs, %d with a conflict", len(matrixCommands), len(matrixCommands)*len(matrixCommands), pairs)
	for _, name := range slices.Sorted(maps.Keys(found)) {
		if t.Logf("%4d %s", found[name], name); !slices.Contains(conflicting, name) {
			t.Errorf("%s conflicts in %d pairs", name, found[name])
		}
	}
	for _, name := range conflicting {
		if found[name] == 0 {
			t.Errorf("%s conflicts no longer: take it off the list", name)
		}
	}
}

// matrixDocument returns the path of a document with the ids that differ from run to
// run taken out.
func matrixDocument(p string) string {
	p = sessionID.ReplaceAllString(p, "SESSION")
	for _, v := range volatile {
		p = v.pattern.ReplaceAllString(p, v.instead)
	}
	return p
}

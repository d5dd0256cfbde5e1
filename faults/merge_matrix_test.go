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

// matrixBase builds the tree that both clones start from. Each line is a command.
var matrixBase = []string{
	"init --layout both",
	"projects new Gateway --phase Design",
	"decision add Tokens_are_signed_with_RS256 --project gateway",
	"decision add Ids_are_opaque",
	"goal add Ship_the_login_page",
	"goal add Remove_the_old_API",
	"constraint add No_plain_HTTP",
	"constraint add No_new_database",
	"question ask Which_cache_do_we_use?",
	"question ask Who_rotates_the_keys?",
	"action add Write_the_migration",
	"action add Measure_the_latency",
	"remember Staging_keys_rotate_on_Mondays",
	"file add api.md",
	"handoff add Survey --from ann --to bob --summary Three_clients_use_v1",
	"thread open Token_lifetime --channel proj-gateway --agent ann",
	"thread post Token_lifetime An_hour_is_enough. --agent bob",
	"thread open Cache_choice --channel proj-gateway --agent ann",
	"message add We_begin_with_the_gateway.",
	"layer 1",
}

// matrixCommands are the commands that write. %s is what tells one clone's words
// from the other's. Commands that edit people's own files, such as config set, are
// not among them.
var matrixCommands = []string{
	"decision add Retries_stop_after_%s",
	"decision add Logs_go_to_%s --priority high --project gateway",
	"decision supersede Ids_are_opaque Ids_are_%s",
	"goal add Reach_%s",
	"goal update Ship --status in-progress --agent %s",
	"goal complete Remove",
	"constraint add No_%s",
	"constraint remove database",
	"question ask Why_%s?",
	"question answer Which_cache Redis_%s",
	"question answer Who_rotates %s",
	"action add Review_%s",
	"action done Write",
	"action done Measure",
	"remember Remember_%s",
	"forget Mondays",
	"file add %s.md",
	"handoff add Result_%s --from ann --to bob --summary Done",
	"handoff archive Survey",
	"thread open Topic_%s --channel proj-gateway --agent ann",
	"thread post Token_lifetime Half_an_hour,_says_%s. --agent %s",
	"thread resolve Cache_choice",
	"condense Token_lifetime --agent %s",
	"memory add --type task Lesson_%s",
	"memory add --type task Lesson_of_%s --agent manager",
	"projects new Project_%s",
	"projects set gateway --phase Phase_%s",
	"layer 2",
	"clarity 40",
	"clarity 55",
	"set /project/name Name_%s",
	"load api.md",
	"message add Said_by_%s",
	"message add Decision:_we_pick_%s,_because_it_is_small.",
	"sessions new --title Session_%s",
	"sessions archive",
	"facilitator end session",
	"facilitator backtrack",
}

// arguments splits a line into arguments. An underscore stands for a blank inside
// of one.
func arguments(line, clone string) []string {
	words := strings.Fields(strings.ReplaceAll(line, "%s", clone))
	for i, w := range words {
		words[i] = strings.ReplaceAll(w, "_", " ")
	}
	return words
}

// matrixRepository returns a repository with a branch for each command and clone:
// "<command>-<clone>" is the base and what that command wrote there. Attributes are
// removed, for a forge runs no merge driver.
func matrixRepository(t *testing.T, clones []string) string {
	t.Helper()
	base := newDir(t)
	git(t, base, "init", "--quiet", "--initial-branch", "main")
	if err := os.WriteFile(filepath.Join(base, "api.md"), []byte("# API\n\nOne endpoint.\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, line := range matrixBase {
		succeed(t, base, arguments(line, "")...)
	}
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
	args := arguments(line, clone)
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
	each(t, dir, func(name string, _ os.FileMode, _ string) {
		if filepath.Base(name) == ".gitattributes" {
			os.Remove(filepath.Join(dir, name))
		}
	})
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
	".forgemind/memory/facilitator-notes.md",
	".forgemind/memory/manager-notes.md",
	".forgemind/projects/gateway/CONTEXT.md",
	".forgemind/projects/gateway/project.json",
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

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestManyMachines runs the sh blocks of docs/many-machines.md in the order of the page, each in the
// clone of the person that its first line names. A text block after one is what it prints; times, ids
// and the address of the remote are other ones.
func TestManyMachines(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"git", "bash"} {
		if _, err := exec.LookPath(name); err != nil {
			t.Skip(name + " is not installed")
		}
	}
	page, err := os.ReadFile("../../docs/many-machines.md")
	if err != nil {
		t.Fatal(err)
	}
	story, files := "exec bash setup.sh\n", "-- setup.sh --\n"+manyMachinesSetup+"-- similar.sed --\n"+similar+"-- run.sh --\n"+manyMachinesRun
	blocks := strings.Split(string(page), "```sh\n")[1:]
	if len(blocks) < 6 {
		t.Fatalf("the page has %d blocks", len(blocks))
	}
	for i, block := range blocks {
		commands, rest, _ := strings.Cut(block, "```\n")
		who, _, _ := strings.Cut(strings.TrimPrefix(commands, "# "), "\n")
		prints, follows := strings.CutPrefix(strings.TrimLeft(rest, "\n"), "```text\n")
		story += fmt.Sprintf("exec bash run.sh %s block%d.sh %v\n", who, i, follows)
		files += fmt.Sprintf("-- block%d.sh --\n%s", i, commands)
		if follows {
			text, _, _ := strings.Cut(prints, "```\n")
			story += fmt.Sprintf("cp stdout printed\nexec sed -E -f similar.sed text%d\ncmp stdout printed\n", i)
			files += fmt.Sprintf("-- text%d --\n%s", i, text)
		}
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "many_machines.txtar"), []byte(story+files), 0o666); err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, scripts(dir))
}

// The remote with the code, and a clone for each person.
const manyMachinesSetup = `set -e
git init -q --bare code.git
git clone -q code.git Ann 2>&1
cd Ann
git commit -q --allow-empty -m code
git push -q origin HEAD
cd ..
git clone -q code.git Bob
git clone -q code.git CI
`

// run.sh WHO BLOCK PRINTS runs a block. One whose output the page does not show must not fail.
const manyMachinesRun = `export GIT_AUTHOR_NAME=$1 GIT_COMMITTER_NAME=$1
cd "$WORK/$1"
case $3 in
true) bash -u ../$2 2>&1 | sed -E -f ../similar.sed ;;
*) bash -eu ../$2 ;;
esac
`

// similar replaces what differs from day to day.
const similar = `s/(ACT|DEC|Q)-[0-9A-Z]+/\1-ID/g
s/\.(claimed|done)-[0-9a-z]+/.\1-ID/g
s/20[0-9-]+T[0-9:.]+Z/TIME/g
s/[^ ]*code\.git/REMOTE/g
`

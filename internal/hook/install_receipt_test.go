package hook

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// noted returns the name and the contents of the only file with receipts.
func (p *machine) noted() (name, text string) {
	found, err := filepath.Glob(filepath.Join(p.dir, "home/.local/state/forgemind/installed/*.json"))
	if err != nil || len(found) != 1 {
		p.t.Fatal(found, err)
	}
	src, err := os.ReadFile(found[0])
	if err != nil {
		p.t.Fatal(err)
	}
	return found[0], string(src)
}

// TestNotedAndNotWritten: an installation that ends after writing its receipts and before
// writing its files leaves receipts of files that never existed. The next one makes the same
// receipts as without that, and earlier installations can still be undone to the byte.
func TestNotedAndNotWritten(t *testing.T) {
	t.Parallel()
	const original = "{\n    \"model\" : \"opus\"\n}"
	less, all := InstallRequest{Agents: []string{"claude"}, Scope: Local}, InstallRequest{Agents: []string{"claude"}, Scope: Local, Status: true}
	p := newPlace(t)
	name := "project/.claude/settings.local.json"
	interrupt := func(wish InstallRequest) {
		plan, err := Install(p.world(), wish)
		if err != nil || len(plan.Faults) > 0 || len(plan.Edits) == 0 {
			t.Fatal(err, plan.Faults)
		}
		if err := plan.keepReceipts(plan.announce); err != nil {
			t.Fatal(err)
		}
		plan.Close()
	}
	p.write(name, original)
	p.do(Install, less)
	p.do(Install, all)
	_, want := p.noted()
	p.do(Uninstall, all)

	interrupt(less)
	p.do(Uninstall, less)
	if text := p.read(name); text != original {
		t.Fatalf("of nothing written: %q", text)
	}
	p.do(Install, less)
	interrupt(all)
	p.do(Install, all)
	if _, got := p.noted(); got != want {
		t.Errorf("%s", Diff("receipts", []byte(want), []byte(got)))
	}
	p.do(Uninstall, all)
	if text := p.read(name); text != original {
		t.Errorf("%q", text)
	}

	p.do(Install, less)
	interrupt(all)
	p.do(Uninstall, less)
	if text := p.read(name); text != original {
		t.Errorf("after the second was interrupted: %q", text)
	}
}

// TestReceiptsOfALaterVersion: what a later version noted is neither read as ours nor
// written over.
func TestReceiptsOfALaterVersion(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	wish := InstallRequest{Agents: []string{"claude"}, Scope: Local}
	p.do(Install, wish)
	name, text := p.noted()
	later := strings.Replace(text, `"version": 1`, `"version": 2`, 1)
	if err := os.WriteFile(name, []byte(later), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, do := range []func(Machine, InstallRequest) (*Plan, error){Install, Uninstall} {
		if _, err := do(p.world(), wish); err == nil || !strings.Contains(err.Error(), "a later version noted what was installed") {
			t.Errorf("%v", err)
		}
	}
	if _, now := p.noted(); now != later {
		t.Errorf("%s", now)
	}
}

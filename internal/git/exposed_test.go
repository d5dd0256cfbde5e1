package git

import "testing"

func TestExposed(t *testing.T) {
	const local = ".forgemind/.local"
	dir := repository(t, map[string]string{state: "one", ".forgemind/.gitignore": "/.local/\n"})
	write(t, dir, local+"/lock", "")
	expect := func(how string, wantTracked, wantAddable []string) {
		t.Helper()
		tracked, addable, err := Exposed(t.Context(), dir, disk(dir), local, ".quaid/.local")
		if err != nil {
			t.Fatal(err)
		}
		same(t, how+": tracked", tracked, wantTracked)
		same(t, how+": addable", addable, wantAddable)
	}
	expect("ignored", nil, nil)
	write(t, dir, ".forgemind/.gitignore", "!/.local/\n")
	expect("un-ignored", nil, []string{local + "/lock"})
	git(t, dir, "add", "--force", "--all")
	expect("added", []string{local + "/lock"}, nil)

	if _, _, err := Exposed(t.Context(), t.TempDir(), disk(t.TempDir()), local); err == nil {
		t.Error("there is no repository")
	}
}

package extract_test

import (
	"slices"
	"testing"

	"github.com/forgemind/forgemind/internal/extract"
)

func TestWork(t *testing.T) {
	for _, c := range []struct {
		text string
		want extract.WorkReport
	}{
		// The summary of the Quaid document.
		{"## Progress\n- ✅ Decided on RS256 algorithm\n- ✅ Implemented token generation\n- 🔄 Currently working on token validation\n- ⏳ Pending: token refresh flow\n\n" +
			"## Critical Context\n- Working files: auth/jwt.py, auth/validators.py\n- Dependencies: PyJWT, cryptography\n- Next: test token refresh + update docs",
			extract.WorkReport{
				Done:  []string{"Decided on RS256 algorithm", "Implemented token generation"},
				Doing: []string{"Currently working on token validation"}, Pending: []string{"token refresh flow"},
				Next: []string{"test token refresh", "update docs"}, Edited: []string{"auth/jwt.py", "auth/validators.py"},
			}},
		{"Next steps: Test token refresh flow, Update documentation", extract.WorkReport{Next: []string{"Test token refresh flow", "Update documentation"}}},
		{"Next: update docs, tests and the README.", extract.WorkReport{Next: []string{"update docs, tests and the README"}}},
		{"## Next Steps\n- Test token refresh flow\n- Update documentation\n\nBye.", extract.WorkReport{Next: []string{"Test token refresh flow", "Update documentation"}}},
		{"TODO: write tests\n- [ ] ship it\n- [x] build it", extract.WorkReport{Done: []string{"build it"}, Next: []string{"write tests", "ship it"}}},
		{"**Still to do:**\n1. docs\n2. tests", extract.WorkReport{Pending: []string{"docs", "tests"}}},
		{"Next, I'll add tests. The next step is to write docs.", extract.WorkReport{Next: []string{"I'll add tests", "write docs"}}},

		{"Working on token validation in auth/jwt.py", extract.WorkReport{Doing: []string{"Working on token validation in auth/jwt.py"}, Edited: []string{"auth/jwt.py"}}},
		{"I'm currently fixing validate_token() in auth/jwt.py.", extract.WorkReport{
			Doing: []string{"I'm currently fixing validate_token() in auth/jwt.py"}, Edited: []string{"auth/jwt.py"}, Function: "validate_token"}},
		{"Great! I've implemented token generation in `auth/jwt.py` and auth/keys.py.", extract.WorkReport{
			Done: []string{"I've implemented token generation in `auth/jwt.py` and auth/keys.py"}, Edited: []string{"auth/jwt.py", "auth/keys.py"}}},
		{"Updated docs/api.md, as docs/spec.md says. Removed auth/old.py.", extract.WorkReport{
			Done: []string{"Updated docs/api.md, as docs/spec.md says", "Removed auth/old.py"}, Edited: []string{"docs/api.md"}}},
		{"The file /srv/app/x.go has been updated.", extract.WorkReport{Done: []string{"The file /srv/app/x.go has been updated"}, Edited: []string{"/srv/app/x.go"}}},
		{"Updated the links to docs/spec.md. Added a parser that is based on lib/old.py.", extract.WorkReport{
			Done: []string{"Updated the links to docs/spec.md", "Added a parser that is based on lib/old.py"}}},
		{"Token generation is done. I still need to add docs.", extract.WorkReport{Done: []string{"Token generation is done"}, Pending: []string{"I still need to add docs"}}},
		{"Ich habe die Prüfung implementiert.\n下一步：更新文档\n已完成：令牌生成", extract.WorkReport{
			Done: []string{"Ich habe die Prüfung implementiert", "令牌生成"}, Next: []string{"更新文档"}}},

		{"- **Updated `auto_commit.go:10-12`** - now true\n- **Fixed** the race in fs/tree.go.", extract.WorkReport{
			Done: []string{"**Updated `auto_commit.go:10-12`** - now true", "**Fixed** the race in fs/tree.go"}, Edited: []string{"auto_commit.go", "fs/tree.go"}}},

		// None of these reports work.
		{"I have not implemented it. Should I add tests? I haven't fixed auth/jwt.py.", extract.WorkReport{}},
		{"If I fixed it, it would work. Once implemented, we ship. I would have added it.", extract.WorkReport{}},
		{"Nothing is done. It is not implemented. Added tests to auth/jwt.py already? Working on it?", extract.WorkReport{}},
		{"Created by John. Updated 2025-11-09. Last updated: 2025. Next: none", extract.WorkReport{}},
		{"> ✅ Implemented it\n```\n- [ ] no\nTODO: no\n```\n`TODO: x`", extract.WorkReport{}},
		{"| Done | Pending: x |", extract.WorkReport{}},
		{"See you next week. The next one is nice. What's next?", extract.WorkReport{}},
		{"Let me first find where this is implemented. I check which parts are done.", extract.WorkReport{}},
		{"We are working parents. I was working on my car.", extract.WorkReport{}},
	} {
		got := extract.Work(c.text)
		for _, p := range []struct {
			what      string
			got, want []string
		}{{"done", got.Done, c.want.Done}, {"doing", got.Doing, c.want.Doing}, {"pending", got.Pending, c.want.Pending}, {"next", got.Next, c.want.Next}, {"edited", got.Edited, c.want.Edited}} {
			if !slices.Equal(p.got, p.want) {
				t.Errorf("%q: %s\n got %q\nwant %q", c.text, p.what, p.got, p.want)
			}
		}
		if got.Function != c.want.Function {
			t.Errorf("%q: function %q, want %q", c.text, got.Function, c.want.Function)
		}
	}
}

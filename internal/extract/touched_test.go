package extract_test

import (
	"slices"
	"testing"

	"github.com/forgemind/forgemind/internal/extract"
	"github.com/forgemind/forgemind/schema"
)

func TestTouched(t *testing.T) {
	for _, c := range []struct {
		tool, content string
		want          []extract.Touch
	}{
		{"Read", `Read {"file_path":"/srv/app/a.go","offset":190}`, []extract.Touch{{"/srv/app/a.go", "read"}}},
		{"Edit", `Edit {"file_path":"a.go","old_string":"{\"file_path\":\"b.go\"}","new_string":"see c.go"}`, []extract.Touch{{"a.go", "edited"}}},
		{"MultiEdit", `MultiEdit {"file_path":"dir/Makefile","edits":[]}`, []extract.Touch{{"dir/Makefile", "edited"}}},
		{"Write", `Write {"content":"x","file_path":"./docs/new file.md"}`, []extract.Touch{{"docs/new file.md", "written"}}},
		{"str_replace_based_edit_tool", `str_replace_based_edit_tool {"command":"view","path":"a.py"}`, []extract.Touch{{"a.py", "read"}}},
		{"Grep", `Grep {"pattern":"x.go","path":"/srv/app"}`, nil},
		{"Grep", `Grep {"pattern":"x","path":"/srv/app/a.go"}`, []extract.Touch{{"/srv/app/a.go", "searched"}}},
		{"apply_patch", "apply_patch {\"input\":\"*** Begin Patch\\n*** Update File: a.go\\n*** Add File: b.go\\n\"}", []extract.Touch{{"a.go", "edited"}, {"b.go", "written"}}},
		{"Bash", `Bash {"command":"go build ./... && cat internal/a.go | head -3 > out.txt; rm -f old.py"}`, []extract.Touch{{"internal/a.go", "read"}, {"out.txt", "written"}, {"old.py", "edited"}}},
		{"Bash", `Bash {"command":"sed -i 's/x.go/y.go/' \"lib/z.go\" && sed -n 1,5p w.go"}`, []extract.Touch{{"lib/z.go", "edited"}, {"w.go", "read"}}},
		{"Bash", `Bash {"command":"cat > a.sh <<'EOF'\nrm b.sh\nEOF\ncat c.sh"}`, []extract.Touch{{"a.sh", "written"}, {"c.sh", "read"}}},
		{"Bash", `Bash {"command":"cat $DIR/a.go *.go; go test ./a.go"}`, nil},
		{"shell", `shell {"command":["bash","-lc","tail -n 3 a.log"]}`, []extract.Touch{{"a.log", "read"}}},
		{"Bash", `Bash {"command":"cat a.go`, nil}, // cut off
		{"", `cat a.go`, nil},
	} {
		got := extract.Touched(schema.Message{Role: "assistant", ToolName: c.tool, Content: c.content})
		if !slices.Equal(got, c.want) {
			t.Errorf("%s:\n got %q\nwant %q", c.content, got, c.want)
		}
		if got := extract.Touched(schema.Message{Role: "tool", ToolName: c.tool, Content: c.content}); got != nil {
			t.Errorf("output %s: got %q", c.content, got)
		}
	}
}

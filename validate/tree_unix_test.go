//go:build unix

package validate

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/forgemind/forgemind/fs"
)

func TestWhatIsNoPlainFileIsFoundAndNeverOpened(t *testing.T) {
	tree := onDisk(t, pages{fs.State: state, "secret.json": state})
	at := func(name string) string { return filepath.Join(tree.Root(), filepath.FromSlash(name)) }
	for _, dir := range []string{"decisions", "logs/context"} {
		if err := os.MkdirAll(at(".forgemind/"+dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, err := range []error{
		syscall.Mkfifo(at(".forgemind/decisions/fifo.json"), 0o644),
		syscall.Mkfifo(at(".forgemind/pipe"), 0o644),
		os.Symlink("/etc/passwd", at(".forgemind/decisions/link.json")),
		os.Symlink("/etc", at(".forgemind/logs/context/more")),
		os.Link(at("secret.json"), at(".forgemind/decisions/second-name.json")),
		os.Symlink("me@host.1:2", at(".forgemind/decisions/.#DEC-001.json")), // how an editor locks
		os.WriteFile(at(".forgemind/decisions/large.json"), make([]byte, maxSize+1), 0o644),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	got := judgeTree(t, tree)
	const irregular = ":1:1: error: not a plain file of its own: a link, a second name of another file, a FIFO or a device [irregular-file]"
	expect(t, "on disk", got,
		".forgemind/decisions/fifo.json"+irregular,
		".forgemind/decisions/large.json:1:1: error: the document is larger than the 8 MiB that are read [too-large]",
		".forgemind/decisions/link.json"+irregular,
		".forgemind/decisions/second-name.json"+irregular,
		".forgemind/logs/context/more"+irregular,
		".forgemind/pipe"+irregular,
	)
}

//go:build unix

package fs

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// Some stories need several processes: the test binary runs itself as a writer
// or as an editor, told by the environment.
const actorEnv = "FS_TEST_ACTOR"

func TestMain(m *testing.M) {
	if what := os.Getenv(actorEnv); what != "" {
		if err := act(what, os.Args[1:]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	goleak.VerifyTestMain(m)
}

func act(what string, args []string) error {
	tree, err := Open(args[0])
	if err != nil {
		return err
	}
	defer tree.Close()
	tree.LockTimeout, tree.HolderTimeout = time.Minute, time.Minute
	switch what {
	case "writer":
		return actWriter(tree, args[1], args[2], tree.Update)
	case "patient writer":
		return actWriter(tree, args[1], args[2], func(ctx context.Context, name string, edit func([]byte) ([]byte, error)) error {
			err := tree.Update(ctx, name, edit)
			for errors.Is(err, ErrBusy) || errors.Is(err, ErrUnsettled) {
				err = tree.Update(ctx, name, edit)
			}
			return err
		})
	case "editor":
		return actEditor(tree, args[1])
	case "session":
		for n, _ := strconv.Atoi(args[1]); ; n++ {
			if err := actRound(tree, n); err != nil {
				return err
			}
		}
	case "round":
		n, err := strconv.Atoi(args[1])
		if err != nil {
			return err
		}
		return actRound(tree, n)
	case "holder":
		return tree.Update(ctx, State, func([]byte) ([]byte, error) {
			fmt.Println("held")
			bufio.NewReader(os.Stdin).ReadString('\n')
			return nil, nil
		})
	}
	return errors.New(what)
}

// actWriter adds tokens to the document, one update each.
func actWriter(tree *Tree, who, count string, update func(context.Context, string, func([]byte) ([]byte, error)) error) error {
	n, err := strconv.Atoi(count)
	if err != nil {
		return err
	}
	for i := range n {
		err := update(ctx, State, func(old []byte) ([]byte, error) {
			return addToken(old, fmt.Sprintf("%s-%d", who, i))
		})
		if err != nil {
			return err
		}
		fmt.Printf("%s-%d\n", who, i)
	}
	return nil
}

// actEditor saves the document as editors do: from bytes that it read some time
// ago, by rename or in place, asking nobody.
func actEditor(tree *Tree, way string) error {
	path := filepath.Join(tree.Root(), State)
	stop := make(chan bool)
	go func() {
		bufio.NewReader(os.Stdin).ReadString('\n')
		close(stop)
	}()
	for i := 0; ; i++ {
		select {
		case <-stop:
			return nil
		case <-time.After(time.Duration(rand.IntN(20)) * time.Millisecond):
		}
		old, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		time.Sleep(time.Duration(rand.IntN(5)) * time.Millisecond)
		token := fmt.Sprintf("editor-%d", i)
		data, err := addToken(old, token)
		if err != nil {
			continue // it read in the middle of its own save
		}
		if way == "rename" || way == "both" && rand.IntN(2) == 0 {
			temp := path + "~"
			if err := os.WriteFile(temp, data, 0o644); err != nil {
				return err
			}
			if err := os.Rename(temp, path); err != nil {
				return err
			}
		} else {
			f, err := os.OpenFile(path, os.O_WRONLY|os.O_TRUNC, 0)
			if err != nil {
				return err
			}
			half := len(data) / 2
			f.Write(data[:half])
			time.Sleep(time.Duration(rand.IntN(2)) * time.Millisecond)
			f.Write(data[half:])
			f.Close()
		}
		fmt.Println(token)
	}
}

// addToken adds a line to a JSON array of strings.
func addToken(old []byte, token string) ([]byte, error) {
	var tokens []string
	if len(old) > 0 {
		if err := json.Unmarshal(old, &tokens); err != nil {
			return nil, fmt.Errorf("%w in %q", err, old)
		}
	}
	text, err := json.MarshalIndent(append(tokens, token), "", "  ")
	return append(text, '\n'), err
}

// An actor is a running process; said collects the lines it printed.
type actor struct {
	*exec.Cmd
	said  []string
	ended chan bool
	in    *os.File
	err   bytes.Buffer
}

func start(t testing.TB, what string, args ...string) *actor {
	t.Helper()
	a := &actor{Cmd: exec.Command(os.Args[0], args...), ended: make(chan bool)}
	a.Env = append(os.Environ(), actorEnv+"="+what)
	a.Stderr = &a.err
	out, err := a.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	a.Stdin, a.in = r, w
	if err := a.Start(); err != nil {
		t.Fatal(err)
	}
	r.Close()
	go func() {
		defer close(a.ended)
		for lines := bufio.NewScanner(out); lines.Scan(); {
			a.said = append(a.said, lines.Text())
		}
	}()
	return a
}

// finish waits for the end, and gives what it printed.
func (a *actor) finish(t testing.TB) []string {
	t.Helper()
	a.in.Close()
	<-a.ended
	if err := a.Wait(); err != nil {
		t.Errorf("%v: %s", err, a.err.String())
	}
	return a.said
}

func writers(t *testing.T, tree *Tree, what string, processes, updates int) []string {
	var all []*actor
	for i := range processes {
		all = append(all, start(t, what, tree.Root(), fmt.Sprintf("writer%d", i), strconv.Itoa(updates)))
	}
	var said []string
	for _, a := range all {
		said = append(said, a.finish(t)...)
	}
	return said
}

func TestEightProcessesLoseNothing(t *testing.T) {
	t.Parallel()
	tree := newTree(t)
	updates := 200
	if testing.Short() {
		updates = 20
	}
	said := writers(t, tree, "writer", 8, updates)
	var live []string
	if err := json.Unmarshal([]byte(get(t, tree, State)), &live); err != nil {
		t.Fatal(err)
	}
	slices.Sort(live)
	slices.Sort(said)
	if !slices.Equal(live, said) || len(said) != 8*updates {
		t.Errorf("%d updates were acknowledged, %d are there, of %d", len(said), len(live), 8*updates)
	}
	if all, err := tree.Incidents(); err != nil || len(all) > 0 {
		t.Errorf("incidents: %v, %v", all, err)
	}
	noLitter(t, tree)
}

// Whatever an editor does, each save and each update is live or was put aside
// with an incident; an update that is refused because of it can be tried again.
// Where it saves by rename, every read sees a whole file.
func TestEditorAmongWriters(t *testing.T) {
	for _, way := range []string{"rename", "inplace", "both"} {
		t.Run(way, func(t *testing.T) {
			tree := newTree(t)
			put(t, tree, State, "[\n  \"first\"\n]\n")
			editor := start(t, "editor", tree.Root(), way)
			stop := make(chan bool)
			var reader sync.WaitGroup
			if way == "rename" {
				reader.Go(func() {
					for {
						select {
						case <-stop:
							return
						case <-time.After(time.Millisecond):
						}
						text, err := tree.Read(State)
						if err != nil || !json.Valid(text) {
							t.Errorf("read %q, %v", text, err)
						}
					}
				})
			}
			acknowledged := writers(t, tree, "patient writer", 4, 40)
			close(stop)
			reader.Wait()
			acknowledged = append(acknowledged, editor.finish(t)...)
			sweepNext(t, tree) // the last save is complete
			if err := tree.Update(ctx, State, func(old []byte) ([]byte, error) { return addToken(old, "last") }); err != nil {
				t.Fatal(err)
			}
			incidents, err := tree.Incidents()
			if err != nil {
				t.Fatal(err)
			}
			somewhere := get(t, tree, State)
			for _, i := range incidents {
				if i.Kept != "" {
					somewhere += get(t, tree, i.Kept)
				}
			}
			lost := 0
			for _, token := range acknowledged {
				if !strings.Contains(somewhere, strconv.Quote(token)) {
					t.Logf("%s is nowhere; in .local/: %v", token, holding(t, tree, token))
					lost++
				}
			}
			if lost > 0 {
				t.Errorf("%d of %d lost, %d incidents", lost, len(acknowledged), len(incidents))
			}
			t.Logf("%d saves and updates, %d incidents", len(acknowledged), len(incidents))
			noLitter(t, tree)
		})
	}
}

// holding lists the files of `.local/` that hold token.
func holding(t *testing.T, tree *Tree, token string) []string {
	var all []string
	for _, name := range files(t, tree, LocalName(Forgemind)) {
		if strings.Contains(get(t, tree, name), strconv.Quote(token)) {
			all = append(all, name)
		}
	}
	return all
}

// Where the system has no openat2, or the filesystem no exchange, the stories
// end the same, but for what doc.go says of it.
func TestFallbacks(t *testing.T) {
	for _, missing := range []string{"FS_TEST_PLAIN", "FS_TEST_PLAIN_MOVES"} {
		if os.Getenv(missing) != "" {
			t.Skip("this is one")
		}
	}
	t.Parallel() // one process after the other
	for _, missing := range []string{"FS_TEST_PLAIN", "FS_TEST_PLAIN_MOVES"} {
		again := exec.Command(os.Args[0], "-test.short", "-test.run", "Save|Plain|Links|Append|Transaction|Update|Committed|Another|File|Names")
		again.Env = append(os.Environ(), missing+"=1")
		if out, err := again.CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", missing, err, out)
		}
	}
}

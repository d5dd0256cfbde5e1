package fs

import (
	"context"
	"errors"
	"testing"
)

func TestJotIsKeptWithWhatIsWrittenAndOnlyThen(t *testing.T) {
	t.Parallel() // it waits
	tree := newTree(t)
	counter := LocalName(Forgemind, CountersFile)
	count := func(write bool, fail error) error {
		_, err := tree.Transaction(context.Background(), func(tx *Tx) error {
			old, _ := tx.Read(counter)
			tx.Jot(counter, append(old, 'I'))
			tx.Try(func(tx *Tx) error { tx.Jot(counter, []byte("wrong")); return errors.New("taken back") })
			if now, _ := tx.Read(counter); string(now) != string(old)+"I" {
				t.Errorf("within the transaction it reads %q", now)
			}
			if write {
				tx.Write(Config, []byte(`{"n": "`+string(old)+`"}`))
			}
			return fail
		})
		return err
	}
	for _, step := range []struct {
		write bool
		fail  error
		want  string
	}{{false, nil, ""}, {true, errors.New("no"), ""}, {true, nil, "I"}, {false, nil, "I"}} {
		if err := count(step.write, step.fail); !errors.Is(err, step.fail) {
			t.Fatal(err)
		}
		if got, _ := tree.Read(counter); string(got) != step.want {
			t.Errorf("after %+v it holds %q", step, got)
		}
	}
}

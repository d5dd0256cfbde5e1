//go:build linux

package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"syscall"
	"time"
)

// patience is the time without output of the watcher after which the run fails.
const patience = 30 * time.Second

// A line is one thing that a watcher said, when it came to be read here.
type line struct {
	at                           time.Time
	text                         string
	Event, File, Trigger, Action string
	Message, Rule                string
}

// A listener is a process that reports events, line by line.
type listener struct {
	cmd   *exec.Cmd
	lines chan line
}

func listen(program string, args ...string) (*listener, error) {
	cmd := exec.Command(program, args...)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	l := &listener{cmd: cmd, lines: make(chan line, 1<<17)} // room for a burst, so that reading never waits
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	go l.read(out)
	return l, nil
}

func (l *listener) read(out io.Reader) {
	defer close(l.lines)
	for s := bufio.NewScanner(out); s.Scan(); {
		n := line{at: time.Now(), text: s.Text()}
		json.Unmarshal(s.Bytes(), &n) // inotifywait speaks plain text
		l.lines <- n
	}
}

var errSilent = errors.New("the watcher does not say what it should")

// await returns the next line that is wanted, and passes over others.
func (l *listener) await(wanted func(line) bool) (line, error) {
	limit := time.After(patience)
	for {
		select {
		case n, open := <-l.lines:
			if !open {
				return n, errors.New("the watcher ended")
			}
			if n.Event == "error" {
				return n, fmt.Errorf("the watcher: %s", n.text)
			}
			if wanted(n) {
				return n, nil
			}
		case <-limit:
			return line{}, errSilent
		}
	}
}

// rest takes the lines that come until it was quiet for so long.
func (l *listener) rest(quiet time.Duration) (lines []line) {
	for {
		select {
		case n, open := <-l.lines:
			if !open {
				return lines
			}
			lines = append(lines, n)
		case <-time.After(quiet):
			return lines
		}
	}
}

func (l *listener) end() {
	l.cmd.Process.Signal(syscall.SIGTERM)
	l.cmd.Wait()
}

// quiet takes lines until the watcher has had no CPU and said nothing for
// half a second, and returns how long after from that began.
func (l *listener) quiet(from time.Time) (lines []line, took time.Duration) {
	busy, was := from, counter{}
	for time.Since(busy) < 500*time.Millisecond && time.Since(from) < patience {
		if more := l.rest(10 * time.Millisecond); len(more) > 0 {
			lines = append(lines, more...)
			busy = more[len(more)-1].at
		}
		now, err := count(l.cmd.Process.Pid)
		if err != nil {
			return lines, time.Since(from)
		}
		if now.cpu-was.cpu > time.Millisecond {
			busy = time.Now()
		}
		was = now
	}
	return lines, max(0, busy.Sub(from))
}

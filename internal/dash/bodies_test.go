package dash

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync"
	"testing"
	"time"
)

// serve serves the scene on a listener of its own until the test ends.
func (s *scene) serve() {
	s.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		s.Fatal(err)
	}
	s.host = l.Addr().String()
	s.server.Hosts = []string{s.host}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.server.Serve(ctx, l) }()
	s.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			s.Error(err)
		}
	})
}

// TestBodiesThatNeverCome: a request whose body does not come is answered at once, and
// its connection is closed; a stream of events that is open meanwhile goes on.
func TestBodiesThatNeverCome(t *testing.T) {
	t.Parallel()
	s := open(t, nil)
	s.serve()
	stream, err := http.Get("http://" + s.host + "/api/events?token=" + token)
	if err != nil {
		t.Fatal(err)
	}
	defer stream.Body.Close()
	var requests sync.WaitGroup
	for _, request := range []string{
		"POST / HTTP/1.1\r\nHost: %s\r\nContent-Length: 200000\r\n\r\n",
		"POST / HTTP/1.1\r\nHost: %s\r\nContent-Length: 200000\r\n\r\nsome of it",
		"POST / HTTP/1.1\r\nHost: %s\r\nContent-Length: 200000000\r\n\r\n",
		"POST / HTTP/1.1\r\nHost: %s\r\nTransfer-Encoding: chunked\r\n\r\n",
		"POST / HTTP/1.1\r\nHost: %s\r\nContent-Length: 200000\r\nExpect: 100-continue\r\n\r\n",
		"POST /?token=" + token + " HTTP/1.1\r\nHost: %s\r\nContent-Length: 200000\r\n\r\n",
		"GET /api/health?token=" + token + " HTTP/1.1\r\nHost: %s\r\nContent-Length: 200000\r\n\r\n",
		"POST / HTTP/1.1\r\nHost: elsewhere\r\nContent-Length: 200000\r\n\r\n",
	} {
		requests.Go(func() { isAnsweredAndClosed(t, s.host, request) })
	}
	requests.Wait()
	s.server.Changed(nil, true)
	lines := bufio.NewScanner(stream.Body)
	for lines.Scan() {
		if lines.Text() == "event: change" {
			return
		}
	}
	t.Errorf("the stream of events ended: %v", lines.Err())
}

// isAnsweredAndClosed holds that host answers a request whose body never comes,
// and closes the connection.
func isAnsweredAndClosed(t *testing.T, host, request string) {
	c, err := net.Dial("tcp", host)
	if err != nil {
		t.Error(err)
		return
	}
	defer c.Close()
	if err := c.SetReadDeadline(time.Now().Add(30 * time.Second)); err != nil {
		t.Error(err)
	}
	if _, err := fmt.Fprintf(c, request, host); err != nil {
		t.Error(err)
	}
	in := bufio.NewReader(c)
	answer, err := http.ReadResponse(in, nil)
	if err != nil {
		t.Errorf("%q: %v", request, err)
		return
	}
	if text, _ := io.ReadAll(answer.Body); answer.StatusCode == http.StatusOK && len(text) == 0 {
		t.Errorf("%q: no answer", request)
	}
	if _, err := in.ReadByte(); err == nil || isTimeout(err) {
		t.Errorf("%q: %s, and the connection stays open: %v", request, answer.Status, err)
	}
}

func isTimeout(err error) bool {
	timeout, ok := err.(net.Error)
	return ok && timeout.Timeout()
}

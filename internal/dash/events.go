package dash

import (
	"fmt"
	"net/http"
	"time"

	"github.com/forgemind/forgemind/internal/jsonedit"
)

// heartbeat is the interval of keep-alive messages in a stream of events.
const heartbeat = 20 * time.Second

// events serves the stream of server-sent events: `hello` once, then `change` with the topics that
// changed.
func (s *Server) events(w http.ResponseWriter, r *http.Request) {
	l, ok := s.news.listen()
	if !ok {
		refuse(w, http.StatusServiceUnavailable, "too many pages of this dashboard are open")
		return
	}
	defer s.news.forget(l)
	w.Header().Set("Content-Type", "text/event-stream")
	out := http.NewResponseController(w)
	send := func(text string) bool {
		_ = out.SetWriteDeadline(time.Now().Add(heartbeat)) // some connections have no deadlines
		_, err := fmt.Fprint(w, text)
		return err == nil && out.Flush() == nil
	}
	alive := time.NewTicker(heartbeat)
	defer alive.Stop()
	ok = send("retry: 1000\nevent: hello\ndata: {}\n\n")
	for ok {
		select {
		case <-r.Context().Done():
			return
		case <-alive.C:
			ok = send(": alive\n\n")
		case <-l.wake:
			data, err := jsonedit.Value(struct {
				Topics []string `json:"topics"`
			}{s.news.take(l)})
			ok = err == nil && send("event: change\ndata: "+string(data)+"\n\n")
		}
	}
}

package mcp

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"io"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/forgemind/forgemind/internal/engine"
)

// A fault of forgemind's own ends one request, is told to those who can mend it,
// and no other.
func TestAFaultEndsOneRequestOnly(t *testing.T) {
	fromClient, toServer := io.Pipe()
	fromServer, toClient := io.Pipe()
	log := new(bytes.Buffer)
	broken := true
	ended := make(chan error, 1)
	go func() {
		err := Serve(t.Context(), Options{
			In: fromClient, Out: toClient, Log: log, Edge: engine.Edge{Now: time.Now, Random: rand.Reader},
			Root: func() (string, error) {
				if broken {
					panic("the root is \x1b[31mgone")
				}
				return t.TempDir(), nil
			},
		})
		toClient.Close()
		ended <- err
	}()
	client, err := sdk.NewClient(&sdk.Implementation{Name: "test"}, nil).Connect(t.Context(), &sdk.IOTransport{Reader: fromServer, Writer: toServer}, nil)
	if err != nil {
		t.Fatal(err)
	}
	_, err = client.CallTool(t.Context(), &sdk.CallToolParams{Name: "status"})
	if err == nil || !strings.Contains(err.Error(), "a fault in forgemind itself") || strings.Contains(err.Error(), "gone") {
		t.Errorf("it says %v", err)
	}
	broken = false
	if result, err := client.CallTool(t.Context(), &sdk.CallToolParams{Name: "status"}); err != nil {
		t.Errorf("the next: %v %v", result, err)
	}
	client.Close()
	if err := <-ended; err != nil {
		t.Errorf("it ended with %v", err)
	}
	if !strings.Contains(log.String(), "gone") || strings.Contains(log.String(), "\x1b") {
		t.Errorf("the log says %s", log)
	}
}

// The end of the server ends what it is working on.
func TestTheEndCancelsWhatIsWorkedOn(t *testing.T) {
	lifetime, end := context.WithCancel(t.Context())
	s := &server{busy: make(chan struct{}, atOnce), lifetime: lifetime}
	working, ended := make(chan struct{}), make(chan error, 1)
	handle := s.guard(func(ctx context.Context, _ string, _ sdk.Request) (sdk.Result, error) {
		close(working)
		<-ctx.Done()
		return nil, ctx.Err()
	})
	go func() {
		_, err := handle(context.WithoutCancel(t.Context()), "prompts/get", &sdk.GetPromptRequest{Params: &sdk.GetPromptParams{Name: "brief"}})
		ended <- err
	}()
	<-working
	end()
	select {
	case err := <-ended:
		if err != context.Canceled {
			t.Error(err)
		}
	case <-time.After(time.Minute):
		t.Fatal("it is worked on for ever")
	}
}

// A deafWriter takes nothing more when it is deaf.
type deafWriter struct{ deaf atomic.Bool }

func (w *deafWriter) Write(p []byte) (int, error) {
	if w.deaf.Load() {
		return 0, io.ErrClosedPipe
	}
	return len(p), nil
}

// A client that takes no answers ends the server, once nothing is worked on any
// more: no change is left in the middle.
func TestTheEndWaitsForWhatIsWorkedOn(t *testing.T) { synctest.Test(t, theEndWaitsForWhatIsWorkedOn) }

func theEndWaitsForWhatIsWorkedOn(t *testing.T) {
	in, client := io.Pipe()
	defer client.Close()
	out := new(deafWriter)
	working, release, ended := make(chan struct{}), make(chan struct{}), make(chan error, 1)
	go func() {
		ended <- Serve(t.Context(), Options{
			In: in, Out: out, Log: io.Discard, Edge: engine.Edge{Now: time.Now, Random: rand.Reader},
			Root: func() (string, error) {
				close(working)
				<-release
				return t.TempDir(), nil
			},
		})
	}()
	io.WriteString(client, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`+"\n")
	io.WriteString(client, `{"jsonrpc":"2.0","method":"notifications/initialized"}`+"\n"+`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"status"}}`+"\n")
	<-working
	out.deaf.Store(true)
	io.WriteString(client, `{"jsonrpc":"2.0","id":3,"method":"ping"}`+"\n")
	synctest.Wait()
	select {
	case err := <-ended:
		t.Fatalf("it ended with %v while a call was worked on", err)
	default:
	}
	close(release)
	if err := <-ended; err == nil {
		t.Error("nobody is told that the answers went nowhere")
	}
}

// An answer that is no JSON becomes an error, and the next one is written.
func TestAnAnswerThatCannotBeWritten(t *testing.T) {
	out := new(bytes.Buffer)
	w := &wire{in: strings.NewReader(""), out: out}
	if _, err := w.Connect(t.Context()); err != nil {
		t.Fatal(err)
	}
	id, err := jsonrpc.MakeID("7")
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Write(t.Context(), &jsonrpc.Response{ID: id, Error: &jsonrpc.Error{Code: 1, Message: "x", Data: json.RawMessage(`{"uri":"\x1b"}`)}}); err != nil {
		t.Error(err)
	}
	if err := w.Write(t.Context(), &jsonrpc.Response{ID: id, Result: json.RawMessage(`{}`)}); err != nil {
		t.Error(err)
	}
	if got := out.String(); strings.Count(got, "\n") != 2 || !strings.Contains(got, `"id":"7","error":{"code":-32603`) {
		t.Errorf("%s", got)
	}
}

// The end of the input waits for what is unsaid, but not for ever.
func TestTheEndWaitsForAnswers(t *testing.T) { synctest.Test(t, theEndWaitsForAnswers) }

func theEndWaitsForAnswers(t *testing.T) {
	w := &wire{in: strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"x"}` + "\n" + `{"jsonrpc":"2.0","id":2,"method":"subscriptions/listen"}`), out: io.Discard}
	if _, err := w.Connect(t.Context()); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if _, err := w.Read(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	ended := make(chan error, 1)
	go func() {
		_, err := w.Read(context.Background())
		ended <- err
	}()
	synctest.Wait()
	select {
	case err := <-ended:
		t.Fatalf("it ended with %v before its answer", err)
	default:
	}
	id, _ := jsonrpc.MakeID(1.0)
	if err := w.Write(t.Context(), &jsonrpc.Response{ID: id, Result: json.RawMessage(`{}`)}); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; err != io.EOF {
		t.Errorf("it ended with %v", err)
	}
}

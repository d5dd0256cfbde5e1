package dash

import (
	"crypto/subtle"
	"encoding/base64"
	"io"
	"net/http"
	"slices"
	"strings"
)

// NewToken returns a random token of letters, digits, - and _.
func NewToken(random io.Reader) (string, error) {
	var bits [24]byte
	if _, err := io.ReadFull(random, bits[:]); err != nil {
		return "", err
	}
	return base64.RawURLEncoding.EncodeToString(bits[:]), nil
}

// policy is the content security policy of the page. It allows the page's own files only.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"

// guard checks a request and passes it to next.
func (s *Server) guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		header := w.Header()
		header.Set("Content-Security-Policy", policy)
		header.Set("X-Content-Type-Options", "nosniff")
		header.Set("X-Frame-Options", "DENY")
		header.Set("Referrer-Policy", "no-referrer")
		header.Set("Cross-Origin-Opener-Policy", "same-origin")
		header.Set("Cross-Origin-Resource-Policy", "same-origin")
		header.Set("Cache-Control", "no-store")
		switch {
		case !s.ours(r):
			refuse(w, http.StatusForbidden, "this page is for the person who started it: take the address that 'forgemind dashboard' printed")
		case r.URL.Path == "/" && r.Method == http.MethodGet && s.redeem(r.URL.Query().Get("ticket")):
			http.Redirect(w, r, s.Address(), http.StatusSeeOther)
		case !s.known(r):
			refuse(w, http.StatusForbidden, "the token is missing or wrong: take the address that 'forgemind dashboard' printed")
		case r.Method != http.MethodGet && r.Method != http.MethodHead:
			header.Set("Allow", "GET, HEAD")
			refuse(w, http.StatusMethodNotAllowed, "nothing can be changed here; the commands of forgemind do that")
		default:
			next.ServeHTTP(w, r)
		}
	})
}

// ours reports whether a request is addressed to this server and does not come from a page of
// another site.
func (s *Server) ours(r *http.Request) bool {
	if !slices.Contains(s.Hosts, strings.ToLower(r.Host)) {
		return false
	}
	for _, origin := range r.Header.Values("Origin") {
		host, ok := strings.CutPrefix(origin, "http://")
		if !ok || !slices.Contains(s.Hosts, host) {
			return false
		}
	}
	return true
}

// known reports whether a request has the token, in its address or as a bearer token.
func (s *Server) known(r *http.Request) bool {
	given := r.URL.Query().Get("token")
	if bearer, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer "); ok {
		given = bearer
	}
	return s.Token != "" && subtle.ConstantTimeCompare([]byte(given), []byte(s.Token)) == 1
}

// redeem reports whether a ticket is valid, and invalidates it.
func (s *Server) redeem(ticket string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	good := s.tickets[ticket]
	delete(s.tickets, ticket)
	return good
}

// refuse answers with a message for people.
func refuse(w http.ResponseWriter, status int, why string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(status)
	_, _ = io.WriteString(w, why+"\n") // the client may be gone
}

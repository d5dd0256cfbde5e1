package dash

import (
	"bytes"
	"embed"
	iofs "io/fs"
	"net/http"
	"path"
	"strings"
)

//go:embed page
var pages embed.FS

// types maps the extensions of the page's files to media types.
var types = map[string]string{
	".html": "text/html; charset=utf-8",
	".css":  "text/css; charset=utf-8",
	".js":   "text/javascript; charset=utf-8",
	".svg":  "image/svg+xml",
}

// page serves the files of the page. In the first one the addresses of the others contain the
// token.
func (s *Server) page(w http.ResponseWriter, r *http.Request) {
	name := strings.TrimPrefix(path.Clean(r.URL.Path), "/")
	if name == "" {
		name = "index.html"
	}
	text, err := iofs.ReadFile(pages, "page/"+name)
	if err != nil {
		refuse(w, http.StatusNotFound, "there is no such page")
		return
	}
	if name == "index.html" {
		text = bytes.ReplaceAll(text, []byte("{token}"), []byte(s.Token))
	}
	w.Header().Set("Content-Type", types[path.Ext(name)])
	_, _ = w.Write(text) // the client may be gone
}

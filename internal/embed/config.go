package embed

import (
	"fmt"
	"time"

	"github.com/forgemind/forgemind/internal/remote"
)

// A ConfigError reports an invalid configuration.
type ConfigError = remote.ConfigError

const (
	// defaultTimeout is the time limit of a request.
	defaultTimeout = 30 * time.Second
	// maxDimensions is the maximum length of a vector.
	maxDimensions = 8192
)

// settings are the members of "embeddings".
type settings struct {
	Model      string  `json:"model"`
	Dimensions int     `json:"dimensions"`
	Timeout    float64 `json:"timeout_seconds"`
	remote.Server
}

// Read reads the user's configuration. It returns nil if the configuration has no
// embeddings. name is the path of the file. getenv returns the API key, which is never
// in a file. An invalid configuration gives a *ConfigError.
func Read(name string, src []byte, getenv func(string) string) (*Embedder, error) {
	c := remote.Config{Name: name, Src: src}
	section, err := c.Section(remote.Embeddings)
	if section < 0 || err != nil {
		return nil, err
	}
	const what = "a server of embeddings"
	if err := c.Members(section, what, []string{"model"}, []string{"url", "api_key_env", "allow_http", "dimensions", "timeout_seconds"}); err != nil {
		return nil, err
	}
	var s settings
	if err := c.Decode(section, &s); err != nil {
		return nil, err
	}
	for i := range c.Doc.Children(section) {
		if err := c.Judge(i); err != nil {
			return nil, err
		}
		if c.Doc.Key(i) == "dimensions" && (s.Dimensions < 1 || s.Dimensions > maxDimensions) {
			return nil, c.Fail(i, "leave it out for what the model gives by itself", "\"dimensions\" is to be from 1 to %d", maxDimensions)
		}
	}
	at, err := c.Address(section, s.Server, what, "https://api.openai.com/v1", "/embeddings", "")
	if err != nil {
		return nil, err
	}
	e := &Embedder{model: s.Model, dimensions: s.Dimensions, timeout: defaultTimeout}
	if s.Timeout != 0 {
		e.timeout = time.Duration(s.Timeout * float64(time.Second))
	}
	key, lacks := c.Key(section, s.Server, getenv)
	e.lacks = lacks
	e.at = remote.Endpoint{URL: at, Key: key, Most: maxResponse}
	e.name = fmt.Sprintf("%s at %s, %d dimensions", s.Model, at, s.Dimensions)
	return e, nil
}

package refresh

import (
	"errors"
	"fmt"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
	"github.com/forgemind/forgemind/triggers"
)

// errConfig is a configuration that is there and says nothing that can be read.
var errConfig = errors.New("cannot be read, so no trigger fires; 'forgemind validate' says what is wrong with it")

// readConfig reads the tree's configuration. Where it is errConfig, no trigger
// may be judged: what a project has switched off must not come back by a
// mistyped comma. Other errors are the disk's.
func readConfig(r fs.Reader) (config schema.Config, err error) {
	for _, name := range []string{fs.Config, fs.QuaidConfig} {
		src, err := r.Read(name)
		switch {
		case missing(err):
			continue
		case err == nil && jsonedit.Decode(src, &config) == nil:
			return config, nil
		case unfit(err):
			return schema.Config{}, fmt.Errorf("%s %w", name, errConfig)
		}
		return schema.Config{}, err
	}
	return config, nil
}

// triggerList is the configured triggers, as many as are judged, or the six of
// the document.
func triggerList(c schema.Config) []schema.Trigger {
	if c.RefreshTriggers != nil {
		return c.RefreshTriggers[:min(len(c.RefreshTriggers), triggers.MaxTriggers)]
	}
	return triggers.Defaults()
}

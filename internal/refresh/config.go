package refresh

import (
	"fmt"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
	"github.com/forgemind/forgemind/triggers"
)

// readConfig reads the tree's configuration. One that cannot be read counts as
// empty, so that the documents' defaults hold; a note says why.
func readConfig(r fs.Reader) (config schema.Config, notes []string) {
	for _, name := range []string{fs.Config, fs.QuaidConfig} {
		src, err := r.Read(name)
		if missing(err) {
			continue
		}
		if err == nil {
			err = jsonedit.Decode(src, &config)
		}
		if err != nil {
			return schema.Config{}, []string{fmt.Sprintf("%s cannot be read, so the defaults hold; 'forgemind validate' says what is wrong with it", name)}
		}
		return config, nil
	}
	return config, nil
}

// triggerList is the configured triggers, or the six of the document.
func triggerList(c schema.Config) []schema.Trigger {
	if c.RefreshTriggers != nil {
		return c.RefreshTriggers
	}
	return triggers.Defaults()
}

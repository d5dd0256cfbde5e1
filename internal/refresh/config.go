package refresh

import (
	"fmt"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
	"github.com/forgemind/forgemind/triggers"
)

// readConfig reads the tree's configuration; ok is false where it is there and
// cannot be read. What a project has switched off must not come back by a
// mistyped comma, so that no trigger is judged then.
func readConfig(r fs.Reader) (config schema.Config, ok bool, notes []string) {
	for _, name := range []string{fs.Config, fs.QuaidConfig} {
		src, err := r.Read(name)
		if missing(err) {
			continue
		}
		if err == nil {
			err = jsonedit.Decode(src, &config)
		}
		if err != nil {
			note := fmt.Sprintf("%s cannot be read, so no trigger fires; 'forgemind validate' says what is wrong with it", name)
			return schema.Config{}, false, []string{note}
		}
		return config, true, nil
	}
	return config, true, nil
}

// triggerList is the configured triggers, as many as are judged, or the six of
// the document.
func triggerList(c schema.Config) []schema.Trigger {
	if c.RefreshTriggers != nil {
		return c.RefreshTriggers[:min(len(c.RefreshTriggers), triggers.MaxTriggers)]
	}
	return triggers.Defaults()
}

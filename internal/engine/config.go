package engine

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/knobs"
	"github.com/forgemind/forgemind/schema"
	"github.com/forgemind/forgemind/triggers"
)

// errConfig reports a configuration that exists but cannot be read.
var errConfig = errors.New("cannot be read, so no trigger fires; 'forgemind validate' reports the fault")

// readConfig reads the tree's configuration: that of .forgemind, and the sections that
// only .quaid has. If the error is errConfig, no trigger may be evaluated: a syntax
// error must not switch on what the project has switched off. Other errors are the
// disk's.
func readConfig(r fs.Reader) (config schema.Config, err error) {
	for _, name := range []string{fs.Config, fs.QuaidConfig} {
		var one schema.Config
		src, err := r.Read(name)
		switch {
		case isMissing(err):
			continue
		case err == nil && jsonedit.Decode(src, &one) == nil:
			config = addMissingSections(config, one)
			continue
		case isAboutContent(err):
			return schema.Config{}, fmt.Errorf("%s %w", name, errConfig)
		}
		return schema.Config{}, err
	}
	return config, nil
}

// addMissingSections returns c with the sections of more that it lacks.
func addMissingSections(c, more schema.Config) schema.Config {
	c.Format, c.Views = cmp.Or(c.Format, more.Format), cmp.Or(c.Views, more.Views)
	c.Copies = cmp.Or(c.Copies, more.Copies)
	if c.RefreshTriggers == nil {
		c.RefreshTriggers = more.RefreshTriggers
	}
	c.Compaction = cmp.Or(c.Compaction, more.Compaction)
	c.Loader = cmp.Or(c.Loader, more.Loader)
	c.Validation = cmp.Or(c.Validation, more.Validation)
	c.Agents = cmp.Or(c.Agents, more.Agents)
	if c.AvailableCommands == nil {
		c.AvailableCommands = more.AvailableCommands
	}
	if c.Entities == nil {
		c.Entities = more.Entities
	}
	return c
}

// triggerList returns the policy's own triggers and the configured ones, up to the
// limit, or the six documented ones if none are configured. If two have the same name,
// the configured one wins.
func triggerList(c schema.Config, k knobs.Set) []schema.Trigger {
	list := triggers.Defaults()
	if c.RefreshTriggers != nil {
		list = c.RefreshTriggers[:min(len(c.RefreshTriggers), triggers.MaxTriggers)]
	}
	own := slices.DeleteFunc(memfasTriggers(c, k), func(t schema.Trigger) bool {
		return slices.ContainsFunc(list, func(other schema.Trigger) bool { return other.Name == t.Name })
	})
	return slices.Concat(own, list)
}

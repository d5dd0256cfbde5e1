package engine

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
)

// errConfig is a configuration that is there and says nothing that can be read.
var errConfig = errors.New("cannot be read, so no trigger fires; 'forgemind validate' says what is wrong with it")

// ConfigOf returns the configuration of a tree as far as it can be read; 'forgemind validate' tells of the
// rest.
func ConfigOf(r fs.Reader) schema.Config {
	config, _ := readConfig(r)
	return config
}

// readConfig reads the tree's configuration: what .forgemind says, and what only
// .quaid does. Where it is errConfig, no trigger
// may be judged: what a project has switched off must not come back by a
// mistyped comma. Other errors are the disk's.
func readConfig(r fs.Reader) (config schema.Config, err error) {
	for _, name := range []string{fs.Config, fs.QuaidConfig} {
		var one schema.Config
		src, err := r.Read(name)
		switch {
		case missing(err):
			continue
		case err == nil && jsonedit.Decode(src, &one) == nil:
			config = lacking(config, one)
			continue
		case unfit(err):
			return schema.Config{}, fmt.Errorf("%s %w", name, errConfig)
		}
		return schema.Config{}, err
	}
	return config, nil
}

// lacking is c with the sections of more that it lacks.
func lacking(c, more schema.Config) schema.Config {
	c.Format, c.Views = cmp.Or(c.Format, more.Format), cmp.Or(c.Views, more.Views)
	if c.RefreshTriggers == nil {
		c.RefreshTriggers = more.RefreshTriggers
	}
	c.Compaction = cmp.Or(c.Compaction, more.Compaction)
	c.Loader = cmp.Or(c.Loader, more.Loader)
	c.Validation = cmp.Or(c.Validation, more.Validation)
	c.Agents = cmp.Or(c.Agents, more.Agents)
	c.Discussions = cmp.Or(c.Discussions, more.Discussions)
	if c.AvailableCommands == nil {
		c.AvailableCommands = more.AvailableCommands
	}
	if c.Entities == nil {
		c.Entities = more.Entities
	}
	return c
}

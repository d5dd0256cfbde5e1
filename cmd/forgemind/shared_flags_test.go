package main

import (
	"flag"

	"github.com/urfave/cli/v2"
)

// A sharedFlag is a flag of package cli that all programs of a process have in common.
// Tests run programs at once, and Apply of cli.BoolFlag writes to its receiver, so each
// program applies a copy.
type sharedFlag struct{ *cli.BoolFlag }

func (f sharedFlag) Apply(set *flag.FlagSet) error {
	own := *f.BoolFlag
	return own.Apply(set)
}

// shareFlags lets programs run at once in one process.
func shareFlags() {
	for _, f := range []*cli.Flag{&cli.HelpFlag, &cli.VersionFlag} {
		*f = sharedFlag{(*f).(*cli.BoolFlag)}
	}
}

package main

import (
	"runtime"

	"github.com/urfave/cli/v2"
)

func (p *program) versionCommand() *cli.Command {
	return &cli.Command{
		Name:   "version",
		Usage:  "Print the version",
		Flags:  []cli.Flag{formatFlag()},
		Action: takes(0, 0, p.version),
	}
}

func (p *program) version(c *cli.Context) error {
	platform := runtime.GOOS + "/" + runtime.GOARCH
	if wantsJSON(c) {
		return p.printJSON(struct {
			Version   int    `json:"version"`
			Forgemind string `json:"forgemind"`
			Go        string `json:"go"`
			Platform  string `json:"platform"`
		}{1, moduleVersion(), runtime.Version(), platform})
	}
	p.printf("forgemind %s (%s, %s)\n", moduleVersion(), runtime.Version(), platform)
	return nil
}

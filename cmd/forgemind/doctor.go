package main

import (
	"runtime"

	"github.com/urfave/cli/v2"

	"github.com/forgemind/forgemind/internal/health"
)

func (p *program) doctorCommand() *cli.Command {
	return &cli.Command{
		Name:   "doctor",
		Usage:  "is everything around the documents as it should be",
		Flags:  []cli.Flag{formatFlag()},
		Action: takes(0, 0, p.doctor),
	}
}

func (p *program) doctor(c *cli.Context) error {
	tree, err := p.readTree(c)
	if err != nil {
		return err
	}
	defer tree.Close()
	checks := append(health.Examine(c.Context, tree), health.Check{
		ID: "version", State: health.OK, Message: "forgemind " + moduleVersion() + ", " + runtime.Version() + " " + runtime.GOOS + "/" + runtime.GOARCH,
	})
	if wantsJSON(c) {
		err = p.printJSON(struct {
			Version int            `json:"version"`
			Checks  []health.Check `json:"checks"`
		}{1, checks})
	} else {
		for _, check := range checks {
			p.printf("%-8s%s: %s\n", check.State, check.ID, inline(check.Message))
			if check.Hint != "" {
				p.printf("        %s\n", inline(check.Hint))
			}
		}
	}
	for _, check := range checks {
		if err == nil && check.State == health.Fault {
			return errFindings
		}
	}
	return err
}

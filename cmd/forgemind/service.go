package main

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/kardianos/service"
	"github.com/urfave/cli/v2"
)

func (p *program) serviceCommand() *cli.Command {
	flags := []cli.Flag{formatFlag()}
	return &cli.Command{
		Name:  "service",
		Usage: "Run the watcher as a service of the user",
		Subcommands: []*cli.Command{
			{
				Name: "install", Usage: "Install and start the service", Flags: append([]cli.Flag{dryRunFlag()}, flags...),
				Action: takes(0, 0, func(c *cli.Context) error {
					return p.service(c, "installed", func(s service.Service) error {
						if err := s.Install(); err != nil {
							return err
						}
						return s.Start()
					})
				}),
			},
			{
				Name: "uninstall", Usage: "Stop and remove the service", Flags: append([]cli.Flag{dryRunFlag()}, flags...),
				Action: takes(0, 0, func(c *cli.Context) error {
					return p.service(c, "uninstalled", func(s service.Service) error {
						s.Stop() // one that does not run is as good
						return s.Uninstall()
					})
				}),
			},
			{
				Name: "status", Usage: "Show whether the service runs", Flags: flags,
				Action: takes(0, 0, p.serviceStatus),
			},
		},
	}
}

// openService is the service of the tree at root: `forgemind watch` on it, under
// a name that no other tree has.
func (p *program) openService(root string) (service.Service, *service.Config, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, nil, err
	}
	sum := sha256.Sum256([]byte(root))
	config := &service.Config{
		Name:        "forgemind-" + hex.EncodeToString(sum[:6]),
		DisplayName: "forgemind " + filepath.Base(root),
		Description: "watches " + root + " for forgemind",
		Executable:  program,
		Arguments:   []string{"watch", "--tree", root},
		Option:      service.KeyValue{"UserService": true},
	}
	s, err := service.New(nothing{}, config)
	if err != nil && !errors.Is(err, service.ErrNoServiceSystemDetected) {
		return nil, nil, err
	}
	// Others would install it for the whole machine, to be run by root.
	if err != nil || s.Platform() != "linux-systemd" && s.Platform() != "darwin-launchd" {
		return nil, nil, withHint(errors.New("there is no systemd or launchd here that runs services of a user"),
			"run 'forgemind watch' in a terminal instead; commands fire triggers without it")
	}
	return s, config, nil
}

// nothing stands for the service in this process, which only manages it.
type nothing struct{}

func (nothing) Start(service.Service) error { return nil }
func (nothing) Stop(service.Service) error  { return nil }

func (p *program) service(c *cli.Context, done string, act func(service.Service) error) error {
	root, err := p.root(c)
	if err != nil {
		return err
	}
	s, config, err := p.openService(root)
	if err != nil {
		return err
	}
	if c.Bool("dry-run") {
		done = "would be " + done
	} else if err := act(s); err != nil {
		return serviceError(config, s, err)
	}
	return p.tellService(c, config, done)
}

func (p *program) serviceStatus(c *cli.Context) error {
	root, err := p.root(c)
	if err != nil {
		return err
	}
	s, config, err := p.openService(root)
	if err != nil {
		return err
	}
	state := "not installed"
	switch status, err := s.Status(); {
	case status == service.StatusRunning:
		state = "running"
	case status == service.StatusStopped:
		state = "stopped"
	case err != nil && !errors.Is(err, service.ErrNotInstalled):
		return serviceError(config, s, err)
	}
	return p.tellService(c, config, state)
}

// serviceError says what to do where the system's services refuse.
func serviceError(config *service.Config, s service.Service, err error) error {
	return withHint(fmt.Errorf("service %s: %s: %w", config.Name, s.Platform(), err),
		"is a service system (systemd --user, launchd) running for you? 'forgemind watch' in a terminal does the same")
}

func (p *program) tellService(c *cli.Context, config *service.Config, state string) error {
	if wantsJSON(c) {
		return p.printJSON(struct {
			Version int      `json:"version"`
			ID      string   `json:"id"`
			State   string   `json:"state"`
			Command []string `json:"command"`
		}{1, config.Name, state, append([]string{config.Executable}, config.Arguments...)})
	}
	p.printf("%s: %s\n", config.Name, state)
	p.printf("  runs %s watch --tree %s\n", config.Executable, inline(config.Arguments[2]))
	return nil
}

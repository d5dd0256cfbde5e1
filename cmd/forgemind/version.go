package main

import (
	"runtime"
	"runtime/debug"

	"github.com/urfave/cli/v2"
)

func (p *program) versionCommand() *cli.Command {
	return &cli.Command{
		Name:  "version",
		Usage: "Print the version",
		Description: "Prints the commit and its date as well, if the program was built from a repository. A date is the same for " +
			"every build of a commit.",
		Flags:  []cli.Flag{formatFlag()},
		Action: takes(0, 0, p.version),
	}
}

func (p *program) version(c *cli.Context) error {
	report := versionReport{Forgemind: moduleVersion(), Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	if build, ok := debug.ReadBuildInfo(); ok {
		report.readSource(build.Settings)
	}
	if wantsJSON(c) {
		return p.printJSON("version", report)
	}
	p.printf("%s", report.text())
	return nil
}

// A versionReport is the output of version with --format json.
type versionReport struct {
	Forgemind string `json:"forgemind"`
	Go        string `json:"go"`
	Platform  string `json:"platform"`
	Commit    string `json:"commit,omitzero"`
	Date      string `json:"date,omitzero"`     // of the commit
	Modified  bool   `json:"modified,omitzero"` // there were changes that were not committed
}

// readSource takes over what the Go tool recorded of the repository.
func (r *versionReport) readSource(settings []debug.BuildSetting) {
	for _, s := range settings {
		switch s.Key {
		case "vcs.revision":
			r.Commit = s.Value
		case "vcs.time":
			r.Date = s.Value
		case "vcs.modified":
			r.Modified = s.Value == "true"
		}
	}
}

// text returns the report for people: a line, and one about the commit if it is known.
func (r *versionReport) text() string {
	text := "forgemind " + r.Forgemind + " (" + r.Go + ", " + r.Platform + ")\n"
	if r.Commit == "" {
		return text
	}
	text += "commit " + r.Commit + ", " + r.Date
	if r.Modified {
		text += ", with changes that were not committed"
	}
	return text + "\n"
}

package main

import (
	"cmp"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/forgemind/forgemind/internal/condense"
	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/internal/transcript"
)

func (p *program) importThreadsCommand() *cli.Command {
	return &cli.Command{
		Name:      "import",
		Usage:     "Import a Discord, Slack or IRC export",
		ArgsUsage: "FILE|-",
		Description: "FILE is JSON of DiscordChatExporter, a day or a channel of Slack's export, or a log of weechat, irssi, " +
			"ZNC or a similar client; '-' is standard input. Messages that are there already are skipped, so a longer " +
			"export of the same channel can be imported again. Known kinds of secrets are masked. Lines that cannot " +
			"be read are reported and skipped. The day of a ZNC log is read from its name.\n'forgemind thread import " +
			"\"#api_20261120.log\" --channel api --zone Europe/Berlin'",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "channel", Usage: "target channel (`NAME`); default: the export's own"},
			optional("from", "what wrote it", "found out", transcript.Discord, transcript.Slack, transcript.IRC),
			&cli.StringFlag{Name: "users", Usage: "Slack's users.json (`FILE`), to resolve user ids"},
			&cli.StringFlag{Name: "zone", Usage: "time zone of times without one (`ZONE`), such as Europe/Berlin", DefaultText: "UTC"},
			&cli.StringFlag{Name: "day", Usage: "day of a log without dates (`DATE`)"},
			choice("format", "how to print; discord, slack and irc are those of --from", "text", "json", transcript.Discord, transcript.Slack, transcript.IRC),
			dryRunFlag(),
		},
		Action: takes(1, 1, p.importThreads),
	}
}

// A threadImport is the JSON output of thread import.
type threadImport struct {
	outcomeReport
	From    string                    `json:"from"` // discord, slack or irc
	Channel string                    `json:"channel"`
	Added   int                       `json:"added"`
	Skipped int                       `json:"skipped"` // existed already
	Edited  int                       `json:"edited"`  // of these, those with another text now
	Left    int                       `json:"left"`    // records that are not messages, such as joins
	Masked  int                       `json:"masked"`
	Threads []condense.ImportedThread `json:"threads"`
	Faults  []importFault             `json:"faults"`
}

func (p *program) importThreads(c *cli.Context) error {
	path := c.Args().First()
	o, err := p.exportOptions(c)
	if err != nil {
		return err
	}
	src, err := p.readInput(path)
	if err != nil {
		return err
	}
	if path == "-" {
		path = "<stdin>"
	}
	export, channel, err := readExport(src, o)
	if err != nil {
		return fmt.Errorf("%s: %w", inline(path), err)
	}
	if channel == "" {
		return &usageError{c.Command.HelpName + ": --channel is missing, and the export does not name one", usageLine(c.Command)}
	}
	p.warnOfLines(path, export.Faults)
	return p.onTree(c, func(tree *engine.Tree) error {
		stop := p.busy("counting tokens")
		done, out, err := tree.ImportThreads(c.Context, export, channel)
		stop()
		if err != nil {
			return fmt.Errorf("%s: %w", inline(path), err)
		}
		report := threadImport{
			outcomeReport: outcomeJSON(out, c.Bool("dry-run")), From: export.Format, Channel: done.Channel,
			Added: done.Added, Skipped: done.Skipped, Edited: done.Edited, Left: export.Left, Masked: len(done.Masked),
			Threads: append([]condense.ImportedThread{}, done.Threads...), Faults: []importFault{},
		}
		for _, f := range export.Faults {
			report.Faults = append(report.Faults, importFault{f.Line, 1, f.Err.Error()})
		}
		if len(out.Changes) == 0 && !wantsJSON(c) {
			p.warn(out)
			p.printf("%s\n", report.headline(path))
			return nil
		}
		return p.changed(c, out, report.headline(path), item{"thread_import", report})
	})
}

// readExport reads an export for the channel of o or, if o has none, for the one
// that the export names. The ids of messages derive from the channel.
func readExport(src []byte, o transcript.ExportOptions) (export transcript.Export, channel string, err error) {
	if channel = o.Channel; channel == "" {
		if export, err = transcript.ReadExport(src, o); err != nil || export.Channel == "" {
			return export, "", err
		}
		channel = export.Channel
	}
	o.Channel = condense.ChannelID(channel)
	export, err = transcript.ReadExport(src, o)
	return export, channel, err
}

// headline describes the result of an import in one line.
func (r threadImport) headline(path string) string {
	line := fmt.Sprintf("%s: %s: %s added to #%s, %d skipped as already there", inline(path), r.From, count(r.Added, "message"), r.Channel, r.Skipped)
	fresh := 0
	for _, t := range r.Threads {
		if t.New {
			fresh++
		}
	}
	for _, more := range []struct {
		n    int
		what string
	}{{fresh, "new thread"}, {r.Left, "notice"}} {
		if more.n > 0 {
			line += ", " + count(more.n, more.what)
			if more.what == "notice" {
				line += " left out"
			}
		}
	}
	if n := len(r.Faults); n > 0 {
		line += ", " + count(n, "place") + " not readable"
	}
	return line
}

// exportOptions returns the options of an export from the flags.
func (p *program) exportOptions(c *cli.Context) (o transcript.ExportOptions, err error) {
	o.Format, o.Channel = c.String("from"), strings.Trim(c.String("channel"), "# ")
	switch f := c.String("format"); f {
	case transcript.Discord, transcript.Slack, transcript.IRC:
		o.Format = cmp.Or(o.Format, f)
	}
	wrong := func(flag, what string) error {
		return &usageError{fmt.Sprintf("%s: --%s %q is %s", c.Command.HelpName, flag, short(c.String(flag), 40), what), usageLine(c.Command)}
	}
	if zone := c.String("zone"); zone != "" {
		if at, err := time.Parse("-07:00", zone); err == nil {
			o.Zone = at.Location()
		} else if o.Zone, err = time.LoadLocation(zone); err != nil {
			return o, wrong("zone", "no zone, such as Europe/Berlin or +02:00")
		}
	}
	o.Day = transcript.DayIn(filepath.Base(c.Args().First()))
	if day := c.String("day"); day != "" {
		if o.Day, err = time.Parse(time.DateOnly, day); err != nil {
			return o, wrong("day", "no day, such as 2026-11-20")
		}
	}
	if c.IsSet("users") {
		o.Users, err = p.readInput(c.String("users"))
	}
	return o, err
}

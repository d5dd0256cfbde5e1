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
		Description: "FILE is JSON of DiscordChatExporter, a day or a channel of Slack's export, or a log of weechat, irssi,\n" +
			"ZNC and similar programs; \"-\" is standard input. Messages that are there are skipped, so a longer export\n" +
			"of the same channel adds what is new. Secrets of a known form are masked. Lines that cannot be read are\n" +
			"reported and skipped. The day of a ZNC log is taken from its name.\n" +
			"\nExample:\n" +
			"  forgemind thread import \"#api_20261120.log\" --zone Europe/Berlin",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "channel", Usage: "the channel that it goes to (`NAME`); the export's own by default"},
			optional("from", "what wrote it", "found out", transcript.Discord, transcript.Slack, transcript.IRC),
			&cli.StringFlag{Name: "users", Usage: "Slack's users.json (`FILE`), for the names behind its ids"},
			&cli.StringFlag{Name: "zone", Usage: "the zone of times that name none (`ZONE`), such as Europe/Berlin or +02:00", DefaultText: "UTC"},
			&cli.StringFlag{Name: "day", Usage: "the day of a log that names none (`DATE`)"},
			choice("format", "how to print; discord, slack and irc are those of --from", "text", "json", transcript.Discord, transcript.Slack, transcript.IRC),
			dryRunFlag(),
		},
		Action: takes(1, 1, p.importThreads),
	}
}

// A threadImport is what thread import prints with --format json.
type threadImport struct {
	outcomeReport
	From    string                    `json:"from"` // discord, slack or irc
	Channel string                    `json:"channel"`
	Added   int                       `json:"added"`
	Skipped int                       `json:"skipped"` // were there already
	Edited  int                       `json:"edited"`  // of those, say something else now
	Left    int                       `json:"left"`    // are no messages: joins, empty ones
	Masked  int                       `json:"masked"`
	Threads []condense.ImportedThread `json:"threads"`
	Faults  []importFault             `json:"faults"`
}

func (p *program) importThreads(c *cli.Context) error {
	path, channel := c.Args().First(), strings.Trim(c.String("channel"), "# ")
	o, err := p.exportOptions(c, channel)
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
	export, err := transcript.ReadExport(src, o)
	if err != nil {
		return fmt.Errorf("%s: %w", inline(path), err)
	}
	if channel == "" && export.Channel != "" { // it is part of ids
		channel = export.Channel
		o.Channel = condense.ChannelID(channel)
		if export, err = transcript.ReadExport(src, o); err != nil {
			return fmt.Errorf("%s: %w", inline(path), err)
		}
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
			report.Faults = append(report.Faults, importFault{f.Line, f.Column, f.Err.Error()})
		}
		if len(out.Changes) == 0 && !wantsJSON(c) {
			p.warn(out)
			p.printf("%s\n", report.headline(path))
			return nil
		}
		return p.changed(c, out, report.headline(path), report)
	})
}

// headline says what came of an import.
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

// exportOptions are what the flags say of an export.
func (p *program) exportOptions(c *cli.Context, channel string) (o transcript.ExportOptions, err error) {
	o.Format = c.String("from")
	if channel != "" {
		o.Channel = condense.ChannelID(channel)
	}
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

package main

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/forgemind/forgemind/schema"
)

// sinceFlag returns `--since`, for commands about the past.
func sinceFlag() cli.Flag {
	return &cli.StringFlag{Name: "since", Usage: "only since `TIME`: 7d, 36h, 2026-11-20 or RFC 3339"}
}

// since returns the time in --since, or the zero time.
func (p *program) since(c *cli.Context) (time.Time, error) {
	text := c.String("since")
	if !c.IsSet("since") {
		return time.Time{}, nil
	}
	if at, ok := parseSince(text, p.Now()); ok {
		return at, nil
	}
	return time.Time{}, &usageError{
		fmt.Sprintf("%s: --since %q is not a time", c.Command.HelpName, short(text, 40)),
		"use an age (7d, 36h), a UTC date (2026-11-20) or a time (2026-11-20T09:30:00Z)",
	}
}

// parseSince parses a duration before now, a day, or a time.
func parseSince(text string, now time.Time) (time.Time, bool) {
	if at, err := schema.ParseTime(text); err == nil {
		return at, true
	}
	if at, err := schema.ParseTime(text + "T00:00:00Z"); err == nil {
		return at, true
	}
	for unit, hours := range map[string]int{"d": 24, "w": 7 * 24} {
		if number, ok := strings.CutSuffix(text, unit); ok {
			const most = 100_000 // a Duration ends at 292 years
			n, err := strconv.ParseUint(number, 10, 32)
			return now.Add(-time.Duration(n) * time.Duration(hours) * time.Hour), err == nil && int(n)*hours <= most*24
		}
	}
	d, err := time.ParseDuration(text)
	return now.Add(-d), err == nil && d >= 0
}

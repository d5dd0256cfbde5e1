package main

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"
)

// sampleApp has every kind of flag and level that reorder must know.
func sampleApp() *cli.App {
	return &cli.App{
		Name:  "forgemind",
		Flags: []cli.Flag{&cli.StringFlag{Name: "tree"}, &cli.BoolFlag{Name: "no-color"}},
		Commands: []*cli.Command{
			{Name: "validate", Flags: []cli.Flag{&cli.BoolFlag{Name: "strict"}, formatFlag()}},
			{Name: "brief", Flags: []cli.Flag{&cli.StringFlag{Name: "project"}, formatFlag()}},
			{Name: "hook", Subcommands: []*cli.Command{{Name: "install", Flags: []cli.Flag{&cli.BoolFlag{Name: "project"}}}}},
			{Name: "clarity", Flags: []cli.Flag{dryRunFlag()}},
			{Name: "decision", Subcommands: []*cli.Command{
				{Name: "add", Flags: []cli.Flag{&cli.StringFlag{Name: "priority"}, &cli.StringSliceFlag{Name: "file"}, formatFlag()}},
				{Name: "list", Flags: []cli.Flag{formatFlag()}},
			}},
		},
	}
}

func TestReorder(t *testing.T) {
	for _, c := range []struct{ typed, want string }{
		{"", ""},
		{"validate", "validate"},
		{"validate a.json", "validate|--|a.json"},
		{"validate a.json --format json", "validate|--format|json|--|a.json"},
		{"validate a.json --format=json --strict b.json", "validate|--format=json|--strict|--|a.json|b.json"},
		{"validate -strict a.json", "validate|-strict|--|a.json"},
		{"validate --tree dir a.json", "--tree|dir|validate|--|a.json"},
		{"validate a.json --no-color --tree=dir", "--no-color|--tree=dir|validate|--|a.json"},
		{"--format json validate", "validate|--format|json"},
		{"--strict --tree dir validate a.json", "--tree|dir|validate|--strict|--|a.json"},
		{"brief --project south --format json", "brief|--project|south|--format|json"},
		{"hook install --project x", "hook|install|--project|--|x"},
		{"hook --project install x", "hook|install|--project|--|x"},
		{"validate -", "validate|--|-"},
		{"validate -- --strict", "validate|--|--strict"},
		{"validate --strict -- -x --format json", "validate|--strict|--|-x|--format|json"},
		{"clarity -5", "clarity|--|-5"},
		{"clarity -0.5 --dry-run", "clarity|--dry-run|--|-0.5"},
		{"clarity --dry-run -.5", "clarity|--dry-run|--|-.5"},
		{"decision add text --priority high", "decision|add|--priority|high|--|text"},
		{"decision --priority high add text", "decision|add|--priority|high|--|text"},
		{"--priority high decision add text", "decision|add|--priority|high|--|text"},
		{"decision add -_a_sentence_ --file a --file b", "decision|add|--file|a|--file|b|--|-_a_sentence_"},
		{"decision add decision list", "decision|add|--|decision|list"},
		{"decision add --priority -5 x", "decision|add|--priority|-5|--|x"},
		{"decision add x --priority", "decision|add|--priority|--|x"},
		{"decision", "decision"},
		{"validate --unknown x", "validate|--unknown|--|x"},
		{"help", "--help"},
		{"help validate", "validate|--help"},
		{"help decision add", "decision|add|--help"},
		{"--help", "--help"},
		{"validate a.json --help", "validate|--help"},
		{"decision add x -h", "decision|add|-h"},
		{"-- help validate", "!"},
	} {
		argv := []string{"forgemind"}
		if c.typed != "" {
			argv = append(argv, strings.Split(strings.ReplaceAll(c.typed, " ", "|"), "|")...)
		}
		got, err := reorder(sampleApp(), argv)
		if c.want == "!" {
			if err == nil {
				t.Errorf("%q: got %q, want an error", c.typed, got)
			}
			continue
		}
		want := []string{"forgemind"}
		if c.want != "" {
			want = append(want, strings.Split(c.want, "|")...)
		}
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%q:\n got %q, %v\nwant %q", c.typed, got, err, want)
		}
	}
}

func TestOneValueIsGivenOnce(t *testing.T) {
	for typed, want := range map[string]string{
		"decision add x --priority high --priority normal": "forgemind decision add: --priority takes one value, and is given twice",
		"decision --priority=high add x --priority high":   "forgemind decision add: --priority takes one value, and is given twice",
		"--tree a decision list --tree b":                  "forgemind decision list: --tree takes one value, and is given twice",
		"decision add x --file a --file b":                 "",
		"validate --strict --strict":                       "",
		"decision add x --priority high -- --priority":     "",
	} {
		_, err := reorder(sampleApp(), append([]string{"forgemind"}, strings.Fields(typed)...))
		var usage *usageError
		if errors.As(err, &usage) != (want != "") || err != nil && usage.msg != want {
			t.Errorf("%q: got %v", typed, err)
		}
	}
}

func TestReorderNamesTheNearestCommand(t *testing.T) {
	for _, c := range []struct{ typed, msg, hint string }{
		{"valdate --strict", `forgemind: unknown command "valdate"`, "did you mean 'validate'?"},
		{"decision lsit", `forgemind decision: unknown command "lsit"`, "did you mean 'list'?"},
		{"help desicion", `forgemind: unknown command "desicion"`, "did you mean 'decision'?"},
		{"xyzzyplugh", `forgemind: unknown command "xyzzyplugh"`, "'forgemind --help' lists the commands"},
	} {
		_, err := reorder(sampleApp(), append([]string{"forgemind"}, strings.Fields(c.typed)...))
		var usage *usageError
		if !errors.As(err, &usage) || usage.msg != c.msg || usage.hint != c.hint {
			t.Errorf("%q: got %+v", c.typed, err)
		}
	}
}

// TestReorderedFlagsArriveWhole holds reorder and the library together: what was
// typed arrives, in whatever order it was typed.
func TestReorderedFlagsArriveWhole(t *testing.T) {
	words := [][]string{{"--tree", "dir"}, {"--strict"}, {"--format=json"}, {"one"}, {"-2"}}
	var try func(done, left [][]string)
	try = func(done, left [][]string) {
		if len(left) > 0 {
			for i := range left {
				rest := slices.Concat(left[:i], left[i+1:])
				try(append(slices.Clone(done), left[i]), rest)
			}
			return
		}
		for at := range len(done) + 1 { // the command's own place; no argument can stand before it
			typed := slices.Concat([][]string{{"forgemind"}}, done[:at], [][]string{{"validate"}}, done[at:])
			argv := slices.Concat(typed...)
			if slices.ContainsFunc(done[:at], func(w []string) bool { return flagName(w[0]) == "" }) {
				continue
			}
			app := sampleApp()
			called := false
			app.Commands[0].Action = func(c *cli.Context) error {
				called = true
				args := c.Args().Slice()
				slices.Sort(args)
				if c.String("tree") != "dir" || !c.Bool("strict") || c.String("format") != "json" || !slices.Equal(args, []string{"-2", "one"}) {
					t.Errorf("%q: tree %q, strict %v, format %q, arguments %q", argv, c.String("tree"), c.Bool("strict"), c.String("format"), args)
				}
				return nil
			}
			ordered, err := reorder(app, argv)
			if err == nil {
				err = app.Run(ordered)
			}
			if err != nil || !called {
				t.Fatalf("%q became %q: %v", argv, ordered, err)
			}
		}
	}
	try(nil, words)
}

// TestFlagsMeanTheSameInACommand: reorder reads flags before it knows the
// subcommand, so below one command a name takes a value everywhere or nowhere.
func TestFlagsMeanTheSameInACommand(t *testing.T) {
	app := testProgram(t).app()
	for _, command := range app.Commands {
		first := map[string]bool{}
		var check func(path string, flags []cli.Flag, commands []*cli.Command)
		check = func(path string, flags []cli.Flag, commands []*cli.Command) {
			for _, f := range flags {
				for _, name := range f.Names() {
					valued, seen := first[name]
					if seen && valued != takesValue(f) {
						t.Errorf("%s --%s: takes a value here or elsewhere, but not in both places", path, name)
					}
					first[name] = takesValue(f)
					if flagName("--"+name) != name {
						t.Errorf("%s --%s: not read as a flag", path, name)
					}
				}
			}
			for _, c := range commands {
				check(path+" "+c.Name, c.Flags, c.Subcommands)
			}
		}
		check(app.Name, app.Flags, nil)
		check(app.Name+" "+command.Name, command.Flags, command.Subcommands)
	}
}

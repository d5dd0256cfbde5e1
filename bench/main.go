//go:build linux

package main

import (
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

// A bench is one run of all rows.
type bench struct {
	runs    int    // of a pair of whole processes
	quick   bool   // a tenth of the work: to see that everything runs
	dir     string // scratch, removed at the end
	binary  string // forgemind, as it is released
	figures []Figure
}

// A row measures figures that belong together.
type row struct {
	name string
	run  func(*bench) error
}

var rows = []row{
	{"validate", (*bench).validate},
	{"start", (*bench).start},
	{"watch", (*bench).watch},
	{"update", (*bench).update},
	{"look", (*bench).look},
	{"status", (*bench).status},
	{"compact", (*bench).compact},
	{"assemble", (*bench).assemble},
	{"prompts", (*bench).prompts},
	{"score", (*bench).score},
	{"hooks", (*bench).hooks},
	{"payloads", (*bench).payloads},
}

func main() {
	if job := os.Getenv(writerVariable); job != "" {
		exit(write(job))
	}
	var b bench
	var names []string
	for _, r := range rows {
		names = append(names, r.name)
	}
	flag.IntVar(&b.runs, "n", 11, "how often whole processes run, each in turn with what it is compared with")
	flag.BoolVar(&b.quick, "quick", false, "a tenth of the work, to see that everything runs; its figures mean little")
	wanted := flag.String("rows", strings.Join(names, ","), "which `rows` to measure")
	format := flag.String("format", "text", "how to print: text, json")
	parent := flag.String("dir", "", "where the trees are made: a `directory` on the file system to be measured (default: the one for temporary files)")
	flag.Parse()
	if flag.NArg() > 0 || b.runs < 1 || (*format != "text" && *format != "json") {
		flag.Usage()
		os.Exit(2)
	}
	exit(b.main(*parent, strings.Split(*wanted, ","), *format))
}

func exit(err error) {
	if err != nil {
		fmt.Fprintf(os.Stderr, "bench: error: %v\n", err)
		os.Exit(1)
	}
	os.Exit(0)
}

// main measures the wanted rows and prints them.
func (b *bench) main(parent string, wanted []string, format string) error {
	var err error
	if b.dir, err = os.MkdirTemp(parent, "forgemind-bench-"); err != nil {
		return err
	}
	defer os.RemoveAll(b.dir)
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, syscall.SIGINT, syscall.SIGTERM)
	go func() {
		<-stop
		os.RemoveAll(b.dir)
		os.Exit(1)
	}()
	if b.quick {
		b.runs = min(b.runs, 3)
	}
	b.binary = filepath.Join(b.dir, "forgemind")
	if err := build(b.binary, "./cmd/forgemind"); err != nil {
		return err
	}
	for _, r := range rows {
		if !slices.Contains(wanted, r.name) {
			continue
		}
		fmt.Fprintf(os.Stderr, "bench: %s …\n", r.name)
		if err := r.run(b); err != nil {
			return fmt.Errorf("%s: %w", r.name, err)
		}
	}
	if format == "json" {
		return printJSON(os.Stdout, b.dir, b.figures)
	}
	return printTable(os.Stdout, b.dir, b.figures)
}

// tenth is n, or a tenth of it in a quick run.
func (b *bench) tenth(n int) int {
	if b.quick {
		return n / 10
	}
	return n
}

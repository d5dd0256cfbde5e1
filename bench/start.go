//go:build linux

package main

import (
	"debug/elf"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// start measures what one short command takes from its start to its exit, in
// turns with a program that has the same imports and does nothing, and with one
// that has no imports either.
func (b *bench) start() error {
	list, err := goTool("list", "-f", `{{join .Imports " "}}`, "./cmd/forgemind")
	if err != nil {
		return err
	}
	same, err := b.buildEmpty("same", strings.Fields(list)...)
	if err != nil {
		return err
	}
	none, err := b.buildEmpty("none")
	if err != nil {
		return err
	}
	dir := filepath.Join(b.dir, "single")
	if _, err := putStates(dir, "", 0, 1); err != nil {
		return err
	}
	commands := [][]string{{b.binary, "validate", stateFile(dir)}, {b.binary, "version"}, {same}, {none}}
	took := make([][]float64, len(commands))
	cpu := make([][]float64, len(commands))
	for range 10 * b.runs {
		for i, c := range commands {
			u, err := must(0, dir, c[0], c[1:]...)
			if err != nil {
				return err
			}
			took[i], cpu[i] = append(took[i], ms(u.wall)), append(cpu[i], ms(u.cpu))
		}
	}
	median := func(samples []float64) string { return fmt.Sprintf("%.1f ms", quantile(samples, 0.5)) }
	b.addAll("start", "validate one file, above an empty main with the same imports", differences(took[0], took[2]), "ms", "<= 3",
		fmt.Sprintf("%s and %s; of CPU %s and %s", median(took[0]), median(took[2]), median(cpu[0]), median(cpu[2])))
	b.addAll("start", "these imports, above an empty main without", differences(took[2], took[3]), "ms", "",
		fmt.Sprintf("%s and %s; of CPU %s and %s", median(took[2]), median(took[3]), median(cpu[2]), median(cpu[3])))
	b.addAll("start", "version", took[1], "ms", "<= 15", "")

	file, err := os.Stat(b.binary)
	if err != nil {
		return err
	}
	b.add("start", "binary, stripped", float64(file.Size())/1e6, "MB", "<= 30", "")
	binary, err := elf.Open(b.binary)
	if err != nil {
		return err
	}
	defer binary.Close()
	libraries, err := binary.ImportedLibraries()
	if err != nil {
		return err
	}
	b.add("start", "libraries that it needs", float64(len(libraries)), "", "== 0", "")
	return nil
}

package operation

import (
	"bytes"
	"context"
	"fmt"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/internal/importer"
)

// ImportExport writes the records of an export of forgemind, all in one transaction. An
// existing record that differs stays, and is reported. The record of the project is imported
// only if the tree has no other record.
func ImportExport(ctx context.Context, t *engine.Tree, all []importer.ExportedFile) (ImportReport, engine.Outcome, error) {
	var report ImportReport
	out, err := t.Change(ctx, "", func(w *engine.WorkingSet) error {
		report = ImportReport{Records: []ImportedRecord{}, Disagree: []Disagreement{}}
		empty, err := isEmpty(w)
		if err != nil {
			return err
		}
		files := map[string][]byte{}
		for _, f := range all {
			name := w.InHome(f.Name)
			here, err := w.Stored(name)
			switch {
			case err != nil:
				return err
			case bytes.Equal(here, f.Text):
				report.Unchanged++
				continue
			case here != nil && !(empty && name == fs.ProjectFile):
				report.Disagree = append(report.Disagree, Disagreement{
					Kind: f.Kind, File: name, Line: 0, Message: fmt.Sprintf("it differs from line %d of the export", f.Line), Hint: "see which of both holds; a record that is here is never replaced",
				})
				continue
			}
			files[name] = f.Text
			report.Records = append(report.Records, ImportedRecord{What: "added", Kind: f.Kind, Text: name, File: name})
		}
		return w.WriteRecords(files)
	})
	return report, out, err
}

// isEmpty reports whether a tree has no records except that of the project.
func isEmpty(w *engine.WorkingSet) (bool, error) {
	decisions, err := w.Decisions()
	if err != nil || len(decisions) > 0 {
		return false, err
	}
	for _, k := range recordKinds {
		if len(w.Records(k)) > 0 {
			return false, nil
		}
	}
	return true, nil
}

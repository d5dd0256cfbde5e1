package forgemind_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/forgemind/forgemind"

// Groups of rooms, as the table of layers names them.
var (
	pure  = []string{"internal/relevance", "internal/compact", "internal/extract", "internal/assemble"}
	nouns = []string{"internal/state", "internal/artifact", "internal/session", "internal/cold", "internal/memory", "internal/recall", "internal/knobs"}
	verbs = []string{"internal/condense", "internal/audit", "internal/health", "internal/brief"}
	doors = []string{"internal/dash", "internal/mcp", "internal/hook"}

	ofNouns = slices.Concat([]string{"schema", "fs", "internal/records", "internal/jsonedit", "templates", "internal/tokens", "internal/git", "internal/yaml", "internal/sanitize", "internal/secret", "internal/block"}, pure)
	ofVerbs = slices.Concat(nouns, ofNouns, []string{"internal/views", "internal/transcript", "internal/acted"})
	ofHeart = slices.Concat(verbs, ofVerbs, []string{"triggers", "validate", "watch"})
	ofDoors = slices.Concat(nouns, verbs, pure, []string{"schema", "fs", "internal/records", "internal/views", "internal/transcript", "templates", "internal/jsonedit", "internal/tokens", "internal/git", "internal/yaml", "internal/sanitize", "internal/secret", "internal/summarizer", "internal/embed", "triggers", "validate",
		"internal/engine", "internal/query"})
)

// layers says which packages of the module each package may import. Arrows
// point down only; a new one is a decision, to be named in its commit.
var layers = func() map[string][]string {
	table := map[string][]string{
		"schema":              nil,
		"internal/jsonedit":   nil,
		"internal/git":        nil,
		"internal/yaml":       nil,
		"internal/block":      {"schema", "internal/git"},
		"internal/tokens":     nil,
		"internal/secret":     {"internal/jsonedit"},
		"fs":                  {"internal/jsonedit", "internal/secret"},
		"internal/kept":       {"fs"},
		"internal/acted":      {"schema", "fs", "internal/jsonedit"},
		"internal/jsonschema": {"schema", "internal/jsonedit"},
		"internal/records":    {"schema", "fs", "internal/jsonedit", "internal/jsonschema", "internal/kept"},
		"internal/views":      {"schema", "fs", "internal/jsonedit", "internal/jsonschema", "internal/records", "internal/state"},
		"templates":           {"schema"},
		"triggers":            {"schema"},
		"internal/relevance":  {"schema"},
		"internal/compact":    {"schema", "internal/relevance", "internal/tokens", "internal/extract"},
		"internal/extract":    {"schema"},
		"internal/sanitize":   {"schema", "internal/jsonedit"},
		"internal/assemble":   {"schema", "internal/relevance", "internal/sanitize", "templates"},
		"internal/remote":     {"internal/jsonedit"},
		"internal/summarizer": {"internal/jsonedit", "internal/remote"},
		"internal/embed":      {"internal/jsonedit", "internal/remote"},
		"validate":            {"schema", "fs", "internal/jsonedit", "internal/jsonschema", "triggers", "internal/git", "internal/yaml", "internal/secret", "internal/records", "internal/views"},
		"watch":               {"fs"},
		"internal/engine":     ofHeart,
		"internal/query":      slices.Concat([]string{"internal/engine"}, ofHeart),
		"internal/refresh":    {"fs", "internal/engine", "internal/git", "internal/health", "internal/jsonedit", "internal/session", "validate", "watch"},
		"":                    ofDoors,
		"cmd/forgemind":       slices.Concat(ofDoors, []string{"watch", "internal/refresh"}, doors),
	}
	for _, room := range nouns {
		table[room] = ofNouns
	}
	table["internal/transcript"] = []string{"schema", "internal/jsonedit", "internal/secret", "internal/session"}
	for _, room := range verbs {
		table[room] = ofVerbs
	}
	for _, room := range doors {
		table[room] = ofDoors
	}
	for room, may := range table {
		table[room] = append(slices.Clone(may), "internal/lazyregexp") // as if it were of the standard library
	}
	table["internal/lazyregexp"] = nil
	return table
}()

// owners says who may import each library: one package, so that replacing the
// library is the work of one room. Those of tests stand without one: tests are not
// looked at.
var owners = map[string][]string{
	"github.com/gofrs/flock":                   {"fs"},
	"github.com/expr-lang/expr":                {"triggers"},
	"github.com/fsnotify/fsnotify":             {"watch"},
	"github.com/santhosh-tekuri/jsonschema/v5": nil, // tests hold internal/jsonschema to it
	"github.com/go-json-experiment/json":       {"internal/jsonedit"},
	"github.com/tiktoken-go/tokenizer":         {"internal/tokens"},
	"go.yaml.in/yaml":                          {"internal/yaml"},
	"github.com/kljensen/snowball":             {"internal/relevance"},
	"github.com/modelcontextprotocol/go-sdk":   {"internal/mcp"},
	"github.com/urfave/cli/v2":                 {"cmd/forgemind"},
	"github.com/kardianos/service":             {"cmd/forgemind"},
	"github.com/schollz/progressbar/v3":        {"cmd/forgemind"},
	"github.com/pelletier/go-toml/v2":          {"internal/hook"},
	"golang.org/x/text":                        {"fs"},
	"golang.org/x/term":                        {"cmd/forgemind"},
	"golang.org/x/sys":                         {"fs"},
	"github.com/yuin/goldmark":                 slices.Concat([]string{"internal/block"}, nouns),
}

// diskCalls are the functions of the standard library that open, make, change
// or list files. Only fs calls them.
var diskCalls = map[string][]string{
	"os": {
		"Chdir", "Chmod", "Chown", "Chtimes", "CopyFS", "Create", "CreateTemp", "DirFS", "Lchown", "Link", "Lstat", "Mkdir", "MkdirAll",
		"MkdirTemp", "NewFile", "Open", "OpenFile", "OpenInRoot", "OpenRoot", "ReadDir", "ReadFile", "Readlink", "Remove", "RemoveAll",
		"Rename", "Stat", "Symlink", "Truncate", "WriteFile",
	},
	"path/filepath": {"EvalSymlinks", "Glob", "Walk", "WalkDir"},
	"io/ioutil":     {"ReadDir", "ReadFile", "ReadAll", "TempDir", "TempFile", "WriteFile"},
	"syscall":       {"Creat", "Link", "Mkdir", "Open", "Openat", "Rename", "Rmdir", "Symlink", "Unlink"},
}

// diskExceptions are the calls that packages other than fs make, none of which
// reads or writes a document.
var diskExceptions = map[string][]string{
	"internal/git": {"os.Stat"}, // the marker files of a merge or rebase under way
	"cmd/forgemind": {
		"os.Lstat", "os.Stat", "path/filepath.EvalSymlinks", "path/filepath.WalkDir", // what a PATH on the command line is
		"os.MkdirTemp", "os.RemoveAll", "os.CreateTemp", // the demo's tree, and the idea for an editor
	},
}

// TestLayers holds the table of layers against the imports.
func TestLayers(t *testing.T) {
	for file, tree := range sources(t) {
		pkg := packageOf(file)
		allowed, known := layers[pkg]
		if !known {
			t.Errorf("%s: package %s stands in no layer; add it to the table", file, pkg)
			continue
		}
		for _, spec := range tree.Imports {
			imported := strings.Trim(spec.Path.Value, `"`)
			inside, ours := strings.CutPrefix(imported, module)
			inside = strings.TrimPrefix(inside, "/")
			switch {
			case ours && !slices.Contains(allowed, inside):
				t.Errorf("%s: %s may not import %s", file, pkg, inside)
			case !ours && strings.Contains(imported, ".") && !slices.Contains(ownersOf(imported), pkg):
				t.Errorf("%s: %s belongs to %v, not to %s", file, imported, ownersOf(imported), pkg)
			}
		}
	}
}

// TestOneDoorToTheDisk holds that no package but fs opens, writes, renames or
// lists files.
func TestOneDoorToTheDisk(t *testing.T) {
	for file, tree := range sources(t) {
		pkg := packageOf(file)
		if pkg == "fs" {
			continue
		}
		names := map[string]string{} // how the file calls a package → its path
		for _, spec := range tree.Imports {
			imported := strings.Trim(spec.Path.Value, `"`)
			name := path.Base(imported)
			if spec.Name != nil {
				name = spec.Name.Name
			}
			names[name] = imported
		}
		ast.Inspect(tree, func(n ast.Node) bool {
			sel, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			x, ok := sel.X.(*ast.Ident)
			if !ok || !slices.Contains(diskCalls[names[x.Name]], sel.Sel.Name) {
				return true
			}
			if call := names[x.Name] + "." + sel.Sel.Name; !slices.Contains(diskExceptions[pkg], call) {
				t.Errorf("%s: %s calls %s; only fs touches files", file, pkg, call)
			}
			return true
		})
	}
}

func ownersOf(imported string) []string {
	for library, who := range owners {
		if imported == library || strings.HasPrefix(imported, library+"/") {
			return who
		}
	}
	return nil
}

func packageOf(file string) string {
	if dir := path.Dir(file); dir != "." {
		return dir
	}
	return ""
}

// sources parses every Go file of the module that is no test, for all
// platforms.
func sources(t *testing.T) map[string]*ast.File {
	t.Helper()
	files := map[string]*ast.File{}
	err := filepath.WalkDir(".", func(name string, entry fs.DirEntry, err error) error {
		name = filepath.ToSlash(name)
		switch {
		case err != nil:
			return err
		case entry.IsDir() && name != "." && (entry.Name() == "testdata" || strings.HasPrefix(name, ".") || isModule(name)):
			return fs.SkipDir
		case !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		files[name], err = parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(files) < 10 {
		t.Fatalf("only %d source files: is this the module's root?", len(files))
	}
	return files
}

// isModule reports whether the directory dir is a module of its own.
func isModule(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, "go.mod"))
	return err == nil
}

package extract

import (
	"strings"
	"unicode/utf8"

	"github.com/forgemind/forgemind/internal/lazyregexp"
)

// file returns the path in c, or false.
func (c *chunk) file() (string, bool) {
	path := c.text
	if windowsPath.MatchString(path) && len(path) <= maxNameLength && canPrecedePath(c.prev) {
		path = strings.TrimRight(path, ".:-")
		if i := strings.LastIndexByte(path, ':'); i > 1 && strings.Trim(path[i:], ":0123456789") == "" {
			path = path[:i] // a line number
		}
		return path, isFile(path[strings.LastIndexAny(path, `\/`)+1:])
	}
	if len(path) > maxNameLength || strings.Contains(path, "://") || strings.HasPrefix(path, "//") ||
		strings.ContainsAny(path, `\$%&#`) || c.prev == '\\' {
		return "", false
	}
	if i := strings.LastIndexByte(path, '='); i >= 0 { // --config=app.yaml
		path = path[i+1:]
	}
	path, ok := trimPosition(path)
	if !ok {
		return "", false
	}
	if path == c.text && c.next == '(' && !strings.Contains(path, "/") && !hasLineNumber(c.line[c.end:]) {
		return "", false // a call
	}
	if path[0] == '.' || path[0] == '/' || path[0] == '-' {
		if !canPrecedePath(c.prev) && path == c.text {
			return "", false // the end of a pattern: "*.go", "<ID>/x.md"
		}
	}
	if (strings.HasPrefix(path, "a/") || strings.HasPrefix(path, "b/")) && isDiffHeader(c.line) {
		path = path[2:]
	}
	if strings.HasPrefix(path, "/") && c.isURLPath(path) {
		return "", false
	}
	path = strings.TrimPrefix(path, "./")
	return path, isFile(path)
}

var (
	windowsPath = lazyregexp.New(`^[A-Za-z]:[\\/][^:/\\]`)
	urlPath     = lazyregexp.New(`^/(?:\.well-known|api|v\d+|graphql|oauth2?|rest|static|assets|public|openapi\.\w+|swagger\.\w+|favicon\.ico|robots\.txt|sitemap\.xml)(?:/|$)`)
	afterMethod = lazyregexp.New(`(?:\b(?:GET|POST|PUT|DELETE|PATCH|HEAD)|\b(?:endpoint|route|URL|url))[\s\x60"'(]*$`)
)

// isURLPath reports whether an absolute path is that of a request.
func (c *chunk) isURLPath(path string) bool {
	return urlPath.MatchString(path) || afterMethod.MatchString(c.line[:c.start])
}

// trimPosition removes line and column ("x.go:12:3") and punctuation from the end of
// a path, and a label from its start. It returns false for a path with a drive
// ("C:/x.go") and for "".
func trimPosition(path string) (string, bool) {
	path = strings.TrimRight(path, ".:-+/")
	for {
		i := strings.LastIndexByte(path, ':')
		if i < 0 {
			return path, path != ""
		}
		switch rest := path[i+1:]; {
		case strings.Trim(rest, "0123456789-") == "":
			path = path[:i]
		case rest[0] == '/', i == 1:
			return "", false
		default: // "Files:a.go"
			return rest, true
		}
	}
}

// canPrecedePath reports whether a path may begin after r.
func canPrecedePath(r rune) bool {
	return r == 0 || strings.ContainsRune(" \t(['\"`“‘„,;|、，（：", r)
}

// hasLineNumber reports whether text begins with a number in parentheses, which is
// how some compilers write a line.
func hasLineNumber(text string) bool {
	return len(text) > 2 && text[0] == '(' && '0' <= text[1] && text[1] <= '9'
}

// isDiffHeader reports whether a line is part of the header of a diff.
func isDiffHeader(text string) bool {
	return strings.HasPrefix(text, "--- a/") || strings.HasPrefix(text, "+++ b/") || strings.HasPrefix(text, "diff --git ")
}

// isFile reports whether path looks like the path of a file.
func isFile(path string) bool {
	dir, name := "", path
	if i := strings.LastIndexByte(path, '/'); i >= 0 {
		dir, name = path[:i], path[i+1:]
	}
	if name == "" || strings.Contains(dir, "//") || !hasValidAt(path) || notFiles[path] {
		return false
	}
	if dir != "" && startsWithHost(dir) {
		return false
	}
	if fileNames[name] {
		return true
	}
	dot := strings.LastIndexByte(name, '.')
	if dot <= 0 {
		return false
	}
	stem, ext := name[:dot], name[dot+1:]
	if lower := strings.ToLower(ext); lower != ext && strings.ToUpper(ext) != ext {
		return false
	} else if !extensions[lower] {
		return false
	}
	if strings.Trim(stem, "._-+~") == "" {
		return false
	}
	if dir != "" {
		return true
	}
	switch { // without a directory it may be a member of a variable or a technology
	case len(stem) == 1 && len(ext) == 1, ext == "so", ext == "m", ext == "env", ext == "o", ext == "bin":
		return false
	case strings.Contains(stem, "@"), strings.EqualFold(ext, "js") && builtin().has(name):
		return false
	}
	first, _ := utf8.DecodeRuneInString(stem)
	return isWordRune(first) || first == '.'
}

// hasValidAt reports whether each "@" in a path is at the start of one of its parts.
func hasValidAt(path string) bool {
	for i := range len(path) {
		if path[i] == '@' && (i > 0 && path[i-1] != '/' || !strings.Contains(path, "/")) {
			return false
		}
	}
	return true
}

// startsWithHost reports whether a directory begins with the name of a host.
func startsWithHost(dir string) bool {
	host, _, _ := strings.Cut(dir, "/")
	dot := strings.LastIndexByte(host, '.')
	if dot <= 0 {
		return false
	}
	switch strings.ToLower(host[dot+1:]) {
	case "com", "org", "net", "io", "dev", "edu", "gov", "app", "ai", "co", "de", "uk", "cn", "in", "me", "sh", "rs", "info", "to":
		return true
	}
	return false
}

// set returns the set of the words in a list.
func set(words string) map[string]bool {
	s := map[string]bool{}
	for _, w := range strings.Fields(words) {
		s[w] = true
	}
	return s
}

// notFiles look like files, but are not.
var notFiles = set(`self.c this.c self.h this.h console.log math.log Math.log np.log numpy.log torch.log tf.log docs.rs crates.rs brew.sh bun.sh
	request.json response.json req.json res.json resp.json r.json`)

// fileNames are files that are known by their whole name.
var fileNames = set(`Makefile Dockerfile Containerfile Jenkinsfile Vagrantfile Gemfile Rakefile Procfile Pipfile Justfile
	CMakeLists.txt go.mod go.sum go.work .gitignore .gitattributes .gitmodules .dockerignore .editorconfig .env .env.local
	.env.example .npmrc .nvmrc .bashrc .zshrc .profile .eslintrc .prettierrc .babelrc .golangci.yml .npmignore .htaccess CODEOWNERS`)

// extensions are the extensions of files in projects.
var extensions = set(`go py pyi pyx ipynb js mjs cjs jsx ts mts cts tsx vue svelte astro java kt kts scala groovy gradle clj cljs
	c h cc cpp cxx hh hpp hxx m mm cs fs fsx vb rs rb erb php swift dart lua pl pm r jl hs lhs elm ex exs erl hrl ml mli
	nim zig v sv vhdl f90 f95 pas ada asm s sh bash zsh fish ps1 bat cmd awk sed sql psql graphql gql proto thrift avsc
	html htm xhtml css scss sass less styl xml xsd xsl svg json jsonl json5 jsonc ndjson yaml yml toml ini cfg conf config
	properties env lock sum mod md mdx markdown rst adoc txt text tex bib csv tsv parquet avro xlsx xls docx doc pptx pdf
	png jpg jpeg gif webp ico bmp tiff mp3 mp4 wav webm woff woff2 ttf zip tar gz tgz bz2 xz zst 7z jar war whl deb rpm exe
	dll so dylib a o bin wasm db sqlite sqlite3 log out diff patch tf tfvars hcl nix cue rego tmpl tpl j2 hbs ejs mustache
	pug plist xib storyboard sln csproj vcxproj cmake mk ninja bazel bzl dockerfile service timer socket rules crt cer pem
	key pub csr p12 jks snap golden txtar bak tmp example sample template pdb map d.ts po pot xliff`)

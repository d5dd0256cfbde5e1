package extract_test

import (
	"reflect"
	"slices"
	"testing"

	"github.com/forgemind/forgemind/internal/extract"
)

// found returns the names of one kind in text.
func found(kind, text string) []string { return extract.Entities(text, nil)[kind] }

// An entityCase is a text and the names in it.
type entityCase struct {
	text  string
	names []string
}

func checkEntities(t *testing.T, kind string, cases []entityCase) {
	t.Helper()
	for _, c := range cases {
		if got := found(kind, c.text); !slices.Equal(got, c.names) {
			t.Errorf("%s of %q:\n got %q\nwant %q", kind, c.text, got, c.names)
		}
	}
}

func TestFiles(t *testing.T) {
	checkEntities(t, extract.Files, []entityCase{
		{"Working on token validation in auth/jwt.py", []string{"auth/jwt.py"}},
		{"auth/jwt.py, auth/validators.py and config/settings.py.", []string{"auth/jwt.py", "auth/validators.py", "config/settings.py"}},
		{"see ./x/y.go and x/y.go", []string{"x/y.go"}},
		{"**auth/jwt.py** and `main.go` (README.md)", []string{"auth/jwt.py", "main.go", "README.md"}},
		{"[the code](internal/fs/tree.go#L12) is", nil},
		{"auth/jwt.py:42:7: unexpected EOF", []string{"auth/jwt.py"}},
		{"main.cs(12,3): error CS1002", []string{"main.cs"}},
		{"the Makefile, go.mod, .gitignore and Dockerfile", []string{"Makefile", "go.mod", ".gitignore", "Dockerfile"}},
		{"/etc/nginx/nginx.conf and ../up/one.ts and ~/notes.md", []string{"/etc/nginx/nginx.conf", "../up/one.ts", "~/notes.md"}},
		{"run with --config=deploy/app.yaml", []string{"deploy/app.yaml"}},
		{"auth/jwt.py's header; the foo.py-style", []string{"auth/jwt.py"}},
		{"node_modules/@types/node/index.d.ts", []string{"node_modules/@types/node/index.d.ts"}},
		{"修改auth/jwt.py文件，然后看README.md。", []string{"auth/jwt.py", "README.md"}},
		{"Die Prüfung steht in prüfung/größe.py.", []string{"prüfung/größe.py"}},
		{"```\nopen(\"a/in_code.py\")\n```", []string{"a/in_code.py"}},
		{"--- a/cmd/run.go\n+++ b/cmd/run.go", []string{"cmd/run.go"}},
		{"  File \"/srv/app/views.py\", line 3, in index", []string{"/srv/app/views.py"}},

		{`C:\Users\me\x.py, C:/Users/me/y.py and D:\src\main.cpp:12.`, []string{`C:\Users\me\x.py`, "C:/Users/me/y.py", `D:\src\main.cpp`}},

		{"https://example.com/a/b.py and http://x.org/y.html?z=1", nil},
		{"example.com, github.com/foo/bar.go, docs.rs", nil},
		{`C: is full; a:b; C:\Users\me and D:/`, nil},
		{"GET /users/list.json and /.well-known/jwks.json or the endpoint /feed.xml", nil},
		{"version 1.2.3, v2.0.1-rc.1, Python 3.12", nil},
		{"e.g. this, i.e. that, etc. and p.m. or U.S.", nil},
		{"me@example.py and git@github.com:foo/bar.git", nil},
		{"call console.log and json.dumps(x), os.path.join(a)", nil},
		{"process.env, req.body, this.state, self.c", nil},
		{"Node.js, Next.js and Vue.js", nil},
		{"*.go, src/**/x.ts, <ID>/current.md, ${DIR}/main.go, auth/{a,b}.py", nil},
		{"and/or, he/she, 24/7, client/server", nil},
		{"it works.Go on", nil},
	})
}

func TestFunctions(t *testing.T) {
	checkEntities(t, extract.Functions, []entityCase{
		{"validate_jwt_token() calls jwt.decode() and Tree::open().", []string{"validate_jwt_token", "jwt.decode", "Tree::open"}},
		{"function validate_jwt_token is slow", []string{"validate_jwt_token"}},
		{"the refreshToken method", []string{"refreshToken"}},
		{"the `retry` function and func Foo", []string{"retry", "Foo"}},
		{"`validate_token`, `ParseConfig` and `parse(src, 1)`", []string{"validate_token", "ParseConfig", "parse"}},
		{"I work on generate_token and refresh_token.", []string{"generate_token", "refresh_token"}},
		{"We call fetchUser(id) and then parseHeader, or set_name(a, b).", []string{"fetchUser", "parseHeader", "set_name"}},
		{"```python\ndef foo(a):\n    return bar(a)\n```", []string{"foo"}},
		{"```go\nfunc (t *Tree) Update(ctx context.Context) error {\n\tif x() {\n```", []string{"Update", "x"}},
		{"```js\nasync function load(x) { print() }\n```", []string{"load"}},
		{"    at validateToken (/app/auth.js:10:5)", []string{"validateToken"}},
		{"  File \"a.py\", line 3, in check_it", []string{"check_it"}},

		{"```go\nt.Parallel()\nos.Getwd()\n```\n\tnow := time.Now()", nil},
		{"the function that we call; a method to do so; functions (all)", nil},
		{"file(s), class(es), if() or while (x)", nil},
		{"`true`, `main`, `user_id`, `RS256`, `MAX_SIZE`, `--flag`, `npm install`", nil},
		{"`ParseError`, `RequestOptions`, `create_time`, `run_id`", nil},
		{"use /set_goal and test_data, updated_at, file_name", nil},
		{"@app.route() and $get_it", nil},
		{"an iPhone on macOS, YouTube, class(es) and userId, pageCount, getter(s)", nil},
	})
}

func TestTechnologies(t *testing.T) {
	checkEntities(t, extract.Technologies, []entityCase{
		{"Let's implement JWT auth with PyJWT, redis and RS256 instead of HS256", []string{"JWT", "PyJWT", "Redis", "RS256", "HS256"}},
		{"Dependencies: PyJWT, cryptography", []string{"PyJWT", "cryptography"}},
		{"- **Dependencies:** `requests` >=2.0, Redis 7 and numpy==1.26", []string{"requests", "Redis", "NumPy"}},
		{"OAuth 2.0 on PostgreSQL 16, SHA-256, Node.js, C++ and C#", []string{"OAuth 2.0", "PostgreSQL", "SHA-256", "Node.js", "C++", "C#"}},
		{"JWT-based JWT/OAuth, `RS256`", []string{"JWT", "OAuth", "RS256"}},
		{"Ruby on Rails or spring boot; GitHub Actions", []string{"Ruby on Rails", "Spring Boot", "GitHub Actions"}},
		{"a service written in Go, using Rust, as Go code", []string{"Go", "Rust"}},
		{"Go 1.26 is out; the React components", []string{"Go", "React"}},
		{"使用Redis缓存", []string{"Redis"}},
		{"Wir speichern es in Redis.", []string{"Redis"}},

		{"Go ahead, let it go. Go to the store! Go!", nil},
		{"Taylor Swift; a swift answer; in spring; the oracle; Spring is here", nil},
		{"Plan C, vitamin D, an R rating, section C.", nil},
		{"React to it. Express yourself. Rust never sleeps.", nil},
		{"src/redis/client.go, redis.conf, my-redis-app, redis_url, redis.get(), redis-cli", nil},
		{"https://redis.io/docs me@redis.io", nil},
		{"Dependencies: none", nil},
		{"Dependencies: T1, TASK-2, the login page, auth/jwt.py", nil},
		{"```\nimport redis\n```\n`docker run x`", nil},
	})
}

func TestPeople(t *testing.T) {
	checkEntities(t, extract.People, []entityCase{
		{"@john and @sarah, ask @li-wei_2.", []string{"@john", "@sarah", "@li-wei_2"}},
		{"(@jürgen) **@anna** cc: @bob", []string{"@jürgen", "@anna", "@bob"}},
		{"请@john看一下", []string{"@john"}},
		{"@john\nplease look", []string{"@john"}},

		{"John Miller met Dr. Anna Schmidt and Prof. von Braun.", []string{"John Miller", "Dr. Anna Schmidt"}},
		{"Frau Müller, Mr. Okafor and Maria de Souza", []string{"Frau Müller", "Mr. Okafor", "Maria de Souza"}},
		{"请王经理看一下", []string{"王经理"}},

		{"Visual Studio, New York, Monday Morning, Use Case and Jordan River", nil},
		{"John said so. David Is here? `John Miller` and \"John Miller\"", nil},
		{"```\nJohn Miller\n```", nil},
		{"john@example.com <j@x.org>", nil},
		{"npm i @types/node @babel/core; uses: actions/checkout@v4; foo@latest", nil},
		{"@property\ndef x(self):", nil},
		{"@cached\nasync def x(self):", nil},
		{"@retry(times=3)", nil},
		{"@Override and @dataclass and @everyone", nil},
		{"```\n@john\n```\n`@john`", nil},
		{"https://medium.com/@john", nil},
	})
}

func TestConcepts(t *testing.T) {
	checkEntities(t, extract.Concepts, []entityCase{
		{"Must support refresh tokens and public key infrastructure", []string{"refresh tokens", "public key infrastructure"}},
		{"A refresh token; rate-limiting; Race Condition", []string{"refresh tokens", "rate limiting", "race conditions"}},
		{"refresh the tokens; a public key; refresh_tokens", []string{"public keys"}},
		{"`refresh tokens`", nil},
	})
}

func TestConfiguredNames(t *testing.T) {
	own := map[string][]string{
		extract.Technologies: {"frobnicator", "Acme DB", "A"},
		extract.People:       {"Mark", "John Smith"},
		extract.Concepts:     {"quiet round", "刷新令牌"},
		extract.Files:        {"config/prod", ""},
		extract.Functions:    {"zap"},
		"else":               {"nothing"},
	}
	got := extract.Entities("Frobnicator on Acme DB: mark what Mark and John  Smith call a Quiet Round, 使用刷新令牌 of config/prod, acme db.\n```\nzap Mark frobnicator\n```", own)
	want := map[string][]string{
		extract.Technologies: {"frobnicator", "Acme DB"},
		extract.People:       {"Mark"},
		extract.Concepts:     {"quiet round", "刷新令牌"},
		extract.Files:        {"config/prod"},
		extract.Functions:    {"zap"},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

// The entities of the Quaid document are found in sentences that name them.
func TestEntitiesOfTheDocument(t *testing.T) {
	got := extract.Entities("validate_jwt_token, generate_token and refresh_token are in auth/jwt.py, auth/validators.py and config/settings.py.\n"+
		"Dependencies: PyJWT, Redis, RS256\n@john asked @sarah about refresh tokens and public key infrastructure.", nil)
	want := map[string][]string{
		"files":        {"auth/jwt.py", "auth/validators.py", "config/settings.py"},
		"functions":    {"validate_jwt_token", "generate_token", "refresh_token"},
		"technologies": {"PyJWT", "Redis", "RS256"},
		"people":       {"@john", "@sarah"},
		"concepts":     {"refresh tokens", "public key infrastructure"},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

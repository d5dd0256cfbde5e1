package session_test

import (
	"encoding/base64"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/forgemind/forgemind/internal/session"
)

// body is what follows the beginning of a made-up secret. Secrets are put
// together here, so that no scanner takes this file for a leak.
func body(n int) string {
	const letters = "aB3dE5gH7jK9mN1pQ2rS4tU6vW8xY0zZ"
	return strings.Repeat(letters, n/len(letters)+1)[:n]
}

func TestSecretsAreMasked(t *testing.T) {
	key := "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj"
	begin, end := "-----BEGIN RSA PRIVATE"+" KEY-----", "-----END RSA PRIVATE"+" KEY-----"
	for _, c := range []struct{ text, want string }{
		{"use AKIA" + "IOSFODNN7EXAMPLE now", "use [masked:aws-key] now"},
		{"aws_secret_access_key = wJalrXUtnFEMI/K7MDENG" + "/bPxRfiCYEXAMPLEKEY\n", "aws_secret_access_key = [masked:key]\n"},
		{"ghp_" + body(36), "[masked:github-token]"},
		{"https://ghs_" + body(36) + "@github.com/a/b.git", "https://[masked:github-token]@github.com/a/b.git"},
		{"\x1b[32mgho_" + body(36) + "\x1b[0m", "\x1b[32m[masked:github-token]\x1b[0m"},
		{"github_pat_" + body(22) + "_" + body(59) + ".", "[masked:github-token]."},
		{"glpat-" + body(20), "[masked:gitlab-token]"},
		{"xoxb-" + "123456789012-1234567890123-" + body(24), "[masked:slack-token]"},
		{"https://hooks.slack.com/services/" + "T00000000/B00000000/" + body(24), "https://hooks.slack.com/services/[masked:slack-webhook]"},
		{"OPENAI_API_KEY=sk-proj-" + body(48), "OPENAI_API_KEY=[masked:openai-key]"},
		{"sk-" + "1234567890abcdef1234567890abcdef", "[masked:openai-key]"},
		{"(sk-ant-api03-" + body(80) + "-" + body(10) + "AA)", "([masked:anthropic-key])"},
		{"?key=AIza" + body(35) + "&x=1", "?key=[masked:google-key]&x=1"},
		{"sk_live_" + body(24), "[masked:stripe-key]"},
		{"rk_test_" + body(24), "[masked:stripe-key]"},
		{"npm_" + body(36), "[masked:npm-token]"},
		{"token eyJ" + "hbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0." + body(43) + ".", "token [masked:jwt]."},
		{"Authorization: Bearer " + body(40), "Authorization: Bearer [masked:bearer-token]"},
		{"authorization: Basic " + "dXNlcjpodW50ZXIy", "authorization: Basic [masked:basic-auth]"},
		{begin + "\n" + key + "\n" + key + "\n" + end + "\nnext", "[masked:private-key]\nnext"},
		{`"` + begin + `\n` + key + `\n` + end + `\n"`, `"[masked:private-key]\n"`},
		{"     1\u2192" + begin + "\n     2\u2192" + key + "\n     3\u2192" + end, "     1\u2192[masked:private-key]"},
		{begin + "\n" + key + "\n" + key[:20] + "\nand then it was cut off.", "[masked:private-key]\nand then it was cut off."[:21] + "and then it was cut off."},
		{"-----BEGIN OPENSSH PRIVATE" + " KEY-----\n" + key + "\n-----END OPENSSH PRIVATE" + " KEY-----", "[masked:private-key]"},
		{"postgres://app:s3cr3t" + "@db:5432/app", "postgres://app:[masked:basic-auth]@db:5432/app"},
		{"redis://:p%40ss" + "@host", "redis://:[masked:basic-auth]@host"},
		{"password=hunter2", "password=[masked:password]"},
		{`DB_PASSWORD: "Tr0ub4dor&3"`, `DB_PASSWORD: "[masked:password]"`},
		{`{"password":"c0rrect!horse"}`, `{"password":"[masked:password]"}`},
		{`{\"api_key\":\"` + body(24) + `\"}`, `{\"api_key\":\"[masked:key]\"}`},
		{"const apiToken = '" + body(24) + "';", "const apiToken = '[masked:token]';"},
		{"client_secret: " + body(24) + "\n", "client_secret: [masked:secret]\n"},
		{"API_KEY=" + "9e107d9d372bb6826bd81d3542a419d6", "API_KEY=[masked:key]"},
		{"access_token=" + body(24) + "&state=1", "access_token=[masked:token]&state=1"},
		{"mysql --password " + "s3cr3tpw --host x", "mysql --password [masked:password] --host x"},
		{`os.environ["TOKEN"] = "` + body(24) + `"`, `os.environ["TOKEN"] = "[masked:token]"`},
		{"line\\nghp_" + body(36) + "\\n", "line\\n[masked:github-token]\\n"},
		{"url%3Dghp_" + body(36), "url%3D[masked:github-token]"},
	} {
		got, n := session.Mask(c.text)
		if got != c.want || n != 1 {
			t.Errorf("%q:\n got %q, %d\nwant %q", c.text, got, n, c.want)
		}
		if again, n := session.Mask(got); again != got || n != 0 {
			t.Errorf("%q: masked again: %q, %d", got, again, n)
		}
	}
}

func TestWhatLooksLikeASecretStays(t *testing.T) {
	sha := "3f786850e387550fdab836ed7e6dc881de23001b"
	for _, text := range []string{
		"", "hello", "commit " + sha, sha[:7], "git show " + sha + ":main.go", "HEAD=" + sha, "sha: " + sha,
		"sha256:" + sha + sha[:24], "SHA256=" + sha + sha[:24], "integrity sha512-" + body(86) + "==",
		"550e8400-e29b-41d4-a716-446655440000", "token: 550e8400-e29b-41d4-a716-446655440000",
		"/home/user/.ssh/id_rsa", "token: ./secrets/token1.json", "secret: config/secrets/app1.yaml", "C:\\Users\\x",
		"data:image/png;base64," + body(4000) + "AKIA" + body(4000) + "eyJ" + body(100) + "==",
		`"src": "data:image/png;base64,` + body(3000) + `=="`,
		"token: string", "token = os.Getenv(\"TOKEN\")", "token := parser.nextToken2()", "password: string | undefined",
		"password = getpass.getpass()", "func (t Token) String() string", "tokens: 1234567", "max_tokens=200000",
		"password=$DB_PASSWORD", "password: ${DB_PASSWORD1}", "password=<your-password-1>", "password: {{ .Values.pw1 }}",
		"token: TokenKindInt64,", "apiKey: process.env.API_KEY_2", "secret: settings.secret_key_2",
		"https://user@example.com/x", "https://example.com:8080/a@b", "http://localhost:3000", "postgres://$USER:$PASS@db", "://%s:%s@%s",
		"the password is on the board", "Bearer authentication is used", "bearer tokens", "Password: ", "secret:", "token=",
		"class=\"sk-circle-fade-dot sk-folding-cube-animation\"", "task-sk-1", "ask-me-anything-about-this-1234567890",
		"eyJ is how a token begins", "-----BEGIN PRIVATE" + " KEY----- is how one begins", "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----",
		`strings.Contains(s, "-----BEGIN RSA PRIVATE` + ` KEY-----") && strings.Contains(s, "-----END RSA PRIVATE` + ` KEY-----")`,
		"AKIA is a prefix", "PWD=/home/anna/dir2/sub", "xoxb-your-token", "ghp_xxx", "[masked:password]", "password=[masked:password]",
		"toolu_01UXGf4Gk8vZ9oQ7yQpN3abc", "msg_013r51oD5uJQu2iMKkAs3sai", "req_011CY2XEx7qJf31RsqK7bV8d",
	} {
		if got, n := session.Mask(text); got != text || n != 0 {
			t.Errorf("%q:\n got %q, %d", text, got, n)
		}
	}
}

// The place of a secret among others, and in pictures, makes no difference.
func TestSeveralSecretsInOneText(t *testing.T) {
	text := "a ghp_" + body(36) + " b AKIA" + "IOSFODNN7EXAMPLE c password=\"" + "x9!kk2mm\" d"
	got, n := session.Mask(text)
	if want := "a [masked:github-token] b [masked:aws-key] c password=\"[masked:password]\" d"; got != want || n != 3 {
		t.Errorf("got %q, %d", got, n)
	}
}

func TestPicturesStay(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	picture := make([]byte, 600_000)
	for i := range picture {
		picture[i] = byte(r.Uint32())
	}
	text := `{"type":"image","data":"` + base64.StdEncoding.EncodeToString(picture) + `"}`
	if _, n := session.Mask(text); n != 0 {
		t.Errorf("%d secrets in a picture", n)
	}
}

// Whatever a stranger repeats, ten times as much takes about ten times as long.
// No time is asserted: a quadratic Mask would not end here.
func TestMaskIsLinear(t *testing.T) {
	for _, unit := range []string{
		"eyJ", "eyJ-", "eyJa.", "token=", "token='", "password: ", "-----BEGIN PRIVATE" + " KEY-----", "-----BEGIN PRIVATE" + " KEY-----\n", "sk-", "://a:",
		"://", "Bearer ", "bearer a1", "ghp_", "=", ":", "\\", "\"", "--token ", "-----END ", "AKIA",
	} {
		text := strings.Repeat(unit, 1_000_000/len(unit))
		if _, n := session.Mask(text); n > len(text)/4 {
			t.Errorf("%q: %d", unit, n)
		}
	}
}

func FuzzMask(f *testing.F) {
	f.Add("password=hunter2 ghp_" + body(36))
	f.Add("-----BEGIN PRIVATE" + " KEY-----\\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7")
	f.Fuzz(func(t *testing.T, text string) {
		masked, n := session.Mask(text)
		if (n == 0) != (masked == text) {
			t.Fatalf("%d masked: %q", n, masked)
		}
		if strings.Count(masked, "[masked:") < n {
			t.Fatalf("%d masked: %q", n, masked)
		}
	})
}

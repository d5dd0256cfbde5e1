package secret_test

import (
	"encoding/base64"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/forgemind/forgemind/internal/secret"
)

// body returns the random part of a made-up secret. Secrets are put together here, so
// that no scanner reports this file.
func body(n int) string {
	const letters = "aB3dE5gH7jK9mN1pQ2rS4tU6vW8xY0zZ"
	return strings.Repeat(letters, n/len(letters)+1)[:n]
}

// mask masks the secrets in text and returns their number.
func mask(text string) (masked string, n int) {
	masked, kinds := secret.Mask(text)
	return masked, len(kinds)
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
		{`{"command":"curl -u ann:s3cr` + `3tpw\nls a:b"}`, `{"command":"curl -u ann:[masked:basic-auth]\nls a:b"}`},
		{"url%3Dghp_" + body(36), "url%3D[masked:github-token]"},
	} {
		got, n := mask(c.text)
		if got != c.want || n != 1 {
			t.Errorf("%q:\n got %q, %d\nwant %q", c.text, got, n, c.want)
		}
		if again, n := mask(got); again != got || n != 0 {
			t.Errorf("%q: masked again: %q, %d", got, again, n)
		}
	}
}

// Tokens of every kind with a known prefix and a made-up rest.
func TestSecretsOfEveryKind(t *testing.T) {
	hex := func(n int) string { return strings.Repeat("9f3a0b7c4d1e8265", n/16+1)[:n] }
	for _, c := range []struct{ kind, token string }{
		{"aws-key", "ASIA" + "Q3EGRIOSFODNN7EX"}, {"aws-key", "ABIA" + "Q3EGRIOSFODNN7EX"}, {"aws-key", "ACCA" + "Q3EGRIOSFODNN7EX"},
		{"github-token", "gho_" + body(36)}, {"github-token", "ghu_" + body(36)}, {"github-token", "ghr_" + body(76)},
		{"gitlab-token", "glrt-" + body(20)}, {"gitlab-token", "gldt-" + body(20)}, {"gitlab-token", "glagent-" + body(50)},
		{"slack-token", "xoxp-" + "1234567890-1234567890-" + body(32)}, {"slack-token", "xapp-" + "1-A0123-0123-" + body(40)},
		{"google-token", "ya29." + body(60)}, {"google-secret", "GOCSPX-" + body(28)},
		{"stripe-key", "sk_test_" + body(24)}, {"stripe-key", "rk_live_" + body(99)}, {"stripe-secret", "whsec_" + body(32)},
		{"pypi-token", "pypi-AgEI" + body(120)}, {"rubygems-token", "rubygems_" + hex(48)}, {"docker-token", "dckr_pat_" + body(27)},
		{"huggingface-token", "hf_" + body(34)}, {"groq-key", "gsk_" + body(52)}, {"xai-key", "xai-" + body(80)}, {"perplexity-key", "pplx-" + body(48)},
		{"replicate-token", "r8_" + body(37)}, {"langsmith-key", "lsv2_pt_" + hex(32) + "_" + hex(10)},
		{"sendgrid-key", "SG." + body(22) + "." + body(43)}, {"brevo-key", "xkeysib-" + hex(64) + "-" + body(16)},
		{"digitalocean-token", "dop_v1_" + hex(64)}, {"shopify-token", "shpat_" + hex(32)}, {"shopify-token", "shpss_" + hex(32)},
		{"square-token", "sq0atp-" + body(22)}, {"vault-token", "hvs." + body(90)}, {"databricks-token", "dapi" + hex(32)},
		{"doppler-token", "dp.pt." + body(43)}, {"atlassian-token", "ATATT3" + "xFfGF0" + body(180)}, {"linear-key", "lin_api_" + body(40)},
		{"notion-token", "ntn_" + body(46)}, {"figma-token", "figd_" + body(40)}, {"postman-key", "PMAK-" + hex(24) + "-" + hex(34)},
		{"newrelic-key", "NRAK-" + strings.ToUpper(body(27))}, {"sentry-token", "sntrys_" + body(120)}, {"grafana-token", "glsa_" + body(32) + "_" + hex(8)},
		{"pulumi-token", "pul-" + hex(40)}, {"planetscale-secret", "pscale_tkn_" + body(43)}, {"supabase-key", "sbp_" + hex(40)},
		{"tailscale-key", "tskey-auth-" + body(12) + "-" + body(32)}, {"flyio-token", "fo1_" + body(43)}, {"mapbox-token", "sk." + "eyJ" + body(60) + "." + body(22)},
		{"openshift-token", "sha256~" + body(43)}, {"terraform-token", "atlasv1." + body(67)}, {"twilio-key", "SK" + hex(32)}, {"easypost-key", "EZAK" + body(54)},
		{"contentful-token", "CFPAT-" + body(43)}, {"circleci-token", "CCIPAT_" + body(22) + "_" + hex(40)}, {"buildkite-token", "bkua_" + hex(40)},
		{"netlify-token", "nfp_" + body(36)}, {"heroku-key", "HRKU-" + "AA" + body(58)}, {"1password-token", "ops_" + "eyJ" + body(250)},
		{"age-key", "AGE-SECRET-KEY-1" + strings.ToUpper(body(58))},
		{"telegram-token", "1234567890:AA" + body(33)}, {"azure-secret", "a1b8Q~" + body(34)},
	} {
		for _, text := range []string{"%", "export X=%\n", `{"x":"%"}`, "see\n%, then", "https://x.test/?t=%&u=1"} {
			in := strings.ReplaceAll(text, "%", c.token)
			want := strings.ReplaceAll(text, "%", "[masked:"+c.kind+"]")
			if got, n := mask(in); got != want || n != 1 {
				t.Errorf("%s in %q:\n got %q, %d", c.kind, text, got, n)
			}
		}
	}
	for _, text := range []string{
		"https://discord.com/api/webhooks/" + "123456789012345678/" + body(68),
		"DefaultEndpointsProtocol=https;AccountName=x;AccountKey=" + body(86) + "==;EndpointSuffix=core.windows.net",
		"Server=db;Database=app;User Id=sa;Password=" + "Tr0ub4dor&3;Encrypt=true",
		"mongodb+srv://app:" + "s3cr3tPw@cluster0.x.mongodb.net/db", "amqp://guest:" + "gu3stpw@mq:5672//",
		"curl -s -u 'elastic:P@ss" + "w0rd1' https://localhost:9200", "<apiToken>\n  " + body(24) + "\n</apiToken>", "var apiToken string = \"" + body(24) + "\"",
		"System.setProperty(\"API_TOKEN\", \"" + body(24) + "\")", "$apiToken .= \"" + body(24) + "\"", "ZXlK" + body(120),
		"curl -u ann@orchard.test:" + "s3cr3tpw https://x.test", "curl -X POST https://x.test \\\n  -u ann:" + "s3cr3tpw", "curl --user ann:'" + "s3cr3tpw' -iX GET https://x.test",
		`Bash {"command":"curl -u \"ann:` + `s3cr3tpw\" https://x.test"}`, "curl -u '" + body(16) + ":' https://x.test", "curl -u :" + "s3cr3tpw https://x.test", "Authorization: Token " + body(40), "authorization:" + body(40),
		"curl -H 'Authorization: Api-Token " + body(40) + "'", "sm_pat_" + body(16),
		"Authorization: token " + "ghp_" + body(36), "SECRET_KEY = 'django-insecure-" + body(50) + "'", "aws_session_token=" + body(300),
	} {
		if got, n := mask(text); n != 1 {
			t.Errorf("%q: %q, %d", text, got, n)
		}
	}
}

// Placeholders, digests, public keys and identifiers are not secrets.
func TestFalseFriends(t *testing.T) {
	sha1, sha256 := "3f786850e387550fdab836ed7e6dc881de23001b", strings.Repeat("3f786850e387550f", 4)
	for _, text := range []string{
		`"integrity": "sha512-` + body(86) + `=="`, "github.com/x/y v1.2.3 h1:" + body(43) + "=", "github.com/x/y v1.2.3/go.mod h1:" + body(43) + "=",
		"image: nginx@sha256:" + sha256, "index 3f78685..e387550 100644", "Merge " + sha1 + " into " + sha1, "etag: W/\"" + sha1 + "\"", "md5: " + sha1[:32],
		"cargo checksum = \"" + sha256 + "\"", "nix hash sha256-" + body(43) + "=", "01ARZ3NDEKTSV4RRFFQ69G5FAV", "run 7f3c9a52-0b1d-4e8f-9a6c-2d5e8b7f1c30",
		"ssh-rsa AAAAB3NzaC1yc2E" + body(300) + " ann@orchard", "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAA" + body(44), "-----BEGIN PUBLIC KEY-----\n" + body(64) + "\n-----END PUBLIC KEY-----",
		"-----BEGIN PGP PUBLIC KEY BLOCK-----\n\n" + body(64) + "\n-----END PGP PUBLIC KEY BLOCK-----", "sourceMappingURL=data:application/json;base64,eyJ" + body(400),
		"ghp_" + strings.Repeat("x", 36), "ghp_" + strings.Repeat("*", 36), "sk_live_" + strings.Repeat("x", 24), "AKIAXXXXXXXXXXXXXXX", "glpat-" + strings.Repeat("0", 26),
		"pk_live_" + body(24), "pk.eyJ is public", "SKU 1234", "task: SKIPPED", "hf_hub_download(repo_id)", "npm_config_registry=https://registry.npmjs.org", "npm_package_version",
		"ATBB and ATATT3 are how they begin", "dapi is a prefix", "pul-" + "request", "fm2_volume", "hvs. is how one begins", "glc_pointer", "figd_", "EZTK", "dp.pt.x",
		"const passwordField = document.getElementById('password1')", "password: yup.string().min(8)", "type Token struct{ Kind2 int }", "token_type: bearer", "tokenizer=o200k_base",
		"public_key = " + body(43) + "=", "next_page_token", "csrf_token: {{ csrf_token }}", "secretRef:\n  name: app-secret-2", "secretName: my-app-tls-2025", "apiKey: 'YOUR_API_KEY_1'",
		"Password: b64Pwd,\n", "login(user = name1, password = p4ss);",
		"v: cargo_secret::PROTOCOL_VERSION_1,", `case "${MVNW_PASSWORD:+has-password1}" in`, "vault_password: !vault |\n  $ANSIBLE_VAULT;1.1;AES256", "Secret: !Sub2 x",
		"https://user:pass@example.com/x", "http://username:password@www.acme.com:9000", "ftp://:Secret@host",
		`append(env, "PWD="+cmd.Dir2)`, "12:AAPL", "curl -u $USER:$PASS https://x.test", "curl -u user https://x.test", "curl -u 'user:' https://x.test", "curl https://x.test\nbuild -u name:tag-1.2.3", "Authorization: Bearer $TOKEN", "Authorization: see RFC 7235 section 4.2",
		"authorization: required-for-all-requests", "<token>", "<p>token</p> 1", `["token", "name2"]`, "if a > secret1Value2 {",
		"password: <your password>", "password = <password>", "token = os.Getenv(\"API_TOKEN_2\")", "secret: ${{ secrets.API_TOKEN_2 }}", "API_KEY=YOUR_API_KEY",
		"U2VjcmV0cyBhcmUgbm90IHdyaXR0ZW4gaW4gZG9jdW1lbnRzLg==", "header eyJhbGciOiJIUzI1NiJ9 of RFC 7515", "Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod1",
		"decision DEC-01ARZ3NDEKTSV4RRFFQ69G5FAV", "conv-2026-11-23-mgnf20", "C:/data:ro@host", "mailto:/ann@example.com",
		"&hf_treeservingcellprioritiesanddescription", "at 10:20:30:AA", "model: gpt-4o-2024-08-06", "claude-opus-4-20250514", "toolu_01" + body(22), "chatcmpl-" + body(29), "call_" + body(24), "req_" + body(24),
	} {
		if got, n := mask(text); n != 0 {
			t.Errorf("%q:\n got %q", text, got)
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
		if got, n := mask(text); got != text || n != 0 {
			t.Errorf("%q:\n got %q, %d", text, got, n)
		}
	}
}

// A repeated secret counts once; a known one is not masked.
func TestAMaskerLeavesWhatIsKnown(t *testing.T) {
	one, two := "ghp_"+body(36), "npm_"+body(36)
	m := secret.Masker{Known: func(found string) bool { return found == two }}
	got := m.JSON([]byte(`{"a": "` + one + `", "` + one + `": ["` + two + `"], "b": "` + one + `"}`))
	if want := `{"a": "[masked:github-token]", "[masked:github-token]": ["` + two + `"], "b": "[masked:github-token]"}`; string(got) != want {
		t.Errorf("got %s", got)
	}
	if kinds := m.Kinds(); len(kinds) != 1 || kinds[0] != "github-token" {
		t.Errorf("kinds are %v", kinds)
	}
	if src := `{"a": "` + one; string(m.JSON([]byte(src))) != `{"a": "[masked:github-token]` {
		t.Errorf("what is no JSON is not masked as text")
	}
}

// A secret is found at any place among others and in pictures.
func TestSeveralSecretsInOneText(t *testing.T) {
	text := "a ghp_" + body(36) + " b AKIA" + "IOSFODNN7EXAMPLE c password=\"" + "x9!kk2mm\" d"
	got, n := mask(text)
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
	if _, n := mask(text); n != 0 {
		t.Errorf("%d secrets in a picture", n)
	}
}

// For any repeated text, ten times the length takes about ten times as long. No time is
// asserted: a quadratic Mask would not end.
func TestMaskIsLinear(t *testing.T) {
	for _, unit := range []string{
		"eyJ", "eyJ-", "eyJa.", "token=", "token='", "password: ", "-----BEGIN PRIVATE" + " KEY-----", "-----BEGIN PRIVATE" + " KEY-----\n", "sk-", "://a:",
		"://", "Bearer ", "bearer a1", "ghp_", "=", ":", "\\", "\"", "--token ", "-----END ", "AKIA",
	} {
		text := strings.Repeat(unit, 1_000_000/len(unit))
		if _, n := mask(text); n > len(text)/4 {
			t.Errorf("%q: %d", unit, n)
		}
	}
}

func FuzzMask(f *testing.F) {
	f.Add("password=hunter2 ghp_" + body(36))
	f.Add("-----BEGIN PRIVATE" + " KEY-----\\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7")
	f.Fuzz(func(t *testing.T, text string) {
		masked, n := mask(text)
		if (n == 0) != (masked == text) {
			t.Fatalf("%d masked: %q", n, masked)
		}
		if strings.Count(masked, "[masked:") < n {
			t.Fatalf("%d masked: %q", n, masked)
		}
	})
}

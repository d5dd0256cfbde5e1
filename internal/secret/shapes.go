package secret

import "strings"

// A shape describes secrets with a known prefix.
type shape struct {
	kind     string
	anchors  string   // the possible prefixes, separated by spaces
	of       *charset // the bytes after the anchor
	min, max int      // the number of these bytes
}

// shapes are the documented formats of their issuers, including old ones. They include
// the kinds of gitleaks' rules that have a prefix.
var shapes = []shape{
	{"aws-key", "AKIA ASIA ABIA ACCA", chars(upper + digits), 16, 16},
	{"github-token", "ghp_ gho_ ghu_ ghs_ ghr_", inWord, 30, 255},
	{"github-token", "github_pat_", inWord, 22, 255},
	{"gitlab-token", "glpat- glrt- gldt- glcbt- glptt- glft- glsoat- glimt- glagent- glffct-", chars(alphanum + "_-."), 20, 300},
	{"slack-token", "xoxb- xoxp- xoxa- xoxr- xoxs- xoxe- xoxe.xoxb- xoxe.xoxp- xapp-", inToken, 16, 300},
	{"slack-webhook", "hooks.slack.com/services/", chars(alphanum + "/"), 20, 120},
	{"discord-webhook", "discord.com/api/webhooks/ discordapp.com/api/webhooks/", chars(alphanum + "_-/"), 60, 120},
	{"google-key", "AIza", inToken, 35, 35},
	{"google-token", "ya29.", inToken, 20, 2048},
	{"google-secret", "GOCSPX-", inToken, 20, 64},
	{"stripe-key", "sk_live_ sk_test_ sk_prod_ rk_live_ rk_test_ rk_prod_", chars(alphanum), 16, 255},
	{"stripe-secret", "whsec_", inBase64, 24, 128},
	{"npm-token", "npm_", chars(alphanum), 36, 36},
	{"pypi-token", "pypi-AgEI", inToken, 50, 1024},
	{"rubygems-token", "rubygems_", chars(digits + "abcdef"), 48, 48},
	{"docker-token", "dckr_pat_ dckr_oat_", inToken, 27, 64},
	{"huggingface-token", "hf_ api_org_", chars(alphanum), 30, 64},
	{"groq-key", "gsk_", chars(alphanum), 40, 80},
	{"xai-key", "xai-", chars(alphanum), 70, 120},
	{"perplexity-key", "pplx-", chars(alphanum), 40, 80},
	{"replicate-token", "r8_", chars(alphanum), 37, 37},
	{"langsmith-key", "lsv2_pt_ lsv2_sk_", inWord, 36, 80},
	{"sendgrid-key", "SG.", chars(alphanum + "_-."), 50, 80},
	{"brevo-key", "xkeysib- xsmtpsib-", chars(alphanum + "-"), 64, 100},
	{"digitalocean-token", "dop_v1_ doo_v1_ dor_v1_", chars(digits + "abcdef"), 64, 64},
	{"shopify-token", "shpat_ shpca_ shppa_ shpss_", chars(alphanum), 32, 64},
	{"square-token", "sq0atp- sq0csp-", inToken, 22, 64},
	{"vault-token", "hvs. hvb. hvr.", inToken, 24, 300},
	{"databricks-token", "dapi", chars(digits + "abcdef"), 32, 34},
	{"doppler-token", "dp.pt. dp.st. dp.ct.", chars(alphanum + "."), 40, 64},
	{"atlassian-token", "ATATT3 ATCTT3 ATBB", chars(alphanum + "_=-"), 28, 300},
	{"linear-key", "lin_api_", chars(alphanum), 40, 40},
	{"notion-token", "ntn_", chars(alphanum), 40, 60},
	{"figma-token", "figd_", inToken, 38, 64},
	{"postman-key", "PMAK-", chars(alphanum + "-"), 50, 80},
	{"newrelic-key", "NRAK-", chars(alphanum), 27, 27},
	{"sentry-token", "sntrys_ sntryu_", chars(alphanum + "+/=_"), 60, 300},
	{"grafana-token", "glc_ glsa_", chars(alphanum + "+/=_"), 32, 400},
	{"pulumi-token", "pul-", chars(digits + "abcdef"), 40, 40},
	{"planetscale-secret", "pscale_tkn_ pscale_pw_ pscale_oauth_", chars(alphanum + "_-.="), 32, 64},
	{"supabase-key", "sbp_", chars(digits + "abcdef"), 40, 40},
	{"supabase-key", "sb_secret_", inToken, 30, 64},
	{"tailscale-key", "tskey-auth- tskey-api- tskey-client-", chars(alphanum + "-"), 20, 100},
	{"flyio-token", "fo1_ fm2_", chars(alphanum + "+/=_-"), 40, 2048},
	{"mapbox-token", "sk.eyJ", chars(alphanum + "_-."), 60, 300},
	{"openshift-token", "sha256~", inToken, 43, 43},
	{"terraform-token", "atlasv1.", inToken, 60, 80},
	{"twilio-key", "SK", chars(digits + "abcdef"), 32, 32},
	{"easypost-key", "EZAK EZTK", chars(alphanum), 54, 54},
	{"contentful-token", "CFPAT-", inToken, 43, 43},
	{"circleci-token", "CCIPAT_", inWord, 40, 100},
	{"buildkite-token", "bkua_", chars(digits + "abcdef"), 40, 40},
	{"netlify-token", "nfp_", chars(alphanum), 36, 60},
	{"heroku-key", "HRKU-", inToken, 36, 80},
	{"1password-token", "ops_eyJ", chars(alphanum + "+/="), 200, 4096},
	{"gitlab-token", "gloas- GR1348941 glsession-", inToken, 20, 128},
	{"slack-token", "xoxo-", inToken, 16, 300},
	{"slack-webhook", "hooks.slack.com/workflows/ hooks.slack.com/triggers/", chars(alphanum + "/"), 20, 120},
	{"teams-webhook", "webhook.office.com/webhookb2/", chars(alphanum + "-@/"), 80, 200},
	{"aws-key", "ABSK", inBase64, 109, 280},
	{"dynatrace-token", "dt0c01. dt0s01. dt0s16.", chars(upper + lower + digits + "."), 80, 100},
	{"newrelic-key", "NRII- NRJS-", inToken, 19, 40},
	{"sourcegraph-token", "sgp_", chars(digits + "abcdefABCDEF_local"), 40, 80},
	{"shippo-token", "shippo_live_ shippo_test_", chars(digits + "abcdefABCDEF"), 40, 40},
	{"duffel-token", "duffel_live_ duffel_test_", chars(alphanum + "_-="), 43, 43},
	{"clojars-token", "CLOJARS_", chars(alphanum), 60, 60},
	{"readme-key", "rdme_", chars(alphanum), 70, 70},
	{"prefect-key", "pnu_ pnb_", chars(alphanum), 36, 36},
	{"flutterwave-key", "FLWSECK_TEST- FLWSECK-", chars(alphanum + "-"), 12, 64},
	{"alibaba-key", "LTAI", chars(alphanum), 20, 20},
	{"facebook-token", "EAAM EAAC EAAG EAAB", chars(alphanum), 100, 400},
	{"defined-token", "dnkey-", inToken, 70, 90},
	{"cloudflare-key", "v1.0-", chars(digits + "abcdef-"), 171, 171},
	{"flyio-token", "fm1r_ fm1a_", chars(alphanum + "+/=_"), 100, 2048},
	{"jwt", "ZXlK", inBase64, 80, 8192}, // a JWT encoded in base64 again
	{"settlemint-token", "sm_pat_ sm_aat_ sm_sat_", chars(alphanum), 16, 16},
	{"age-key", "AGE-SECRET-KEY-1", chars(upper + digits), 50, 64},
}

// An anchor is one prefix of a shape.
type anchor struct {
	text string
	*shape
	address bool // an address, which is not secret and stays
}

// anchors holds the anchors of all shapes by their first byte.
var anchors = func() (by [256][]anchor) {
	for i := range shapes {
		s := &shapes[i]
		for text := range strings.FieldsSeq(s.anchors) {
			by[text[0]] = append(by[text[0]], anchor{text, s, strings.Contains(text, "/")})
		}
	}
	return by
}()

// findShapes finds secrets by their prefix, in one pass.
func findShapes(found []Found, text string) []Found {
	for i := 0; i+1 < len(text); i++ {
		at := anchors[text[i]]
		for k := range at {
			a := &at[k]
			if a.text[1] != text[i+1] || !strings.HasPrefix(text[i:], a.text) || !a.address && !a.of.begins(text, i) {
				continue
			}
			body := i + len(a.text)
			n := a.of.run(text, body, a.max)
			if n < a.min || n > a.max || !a.address && !varied(text[body:body+n]) {
				continue
			}
			start := i
			if a.address {
				start = body
			}
			found = append(found, Found{a.kind, start, body + n})
			i = body + n - 1
			break
		}
	}
	return found
}

// varied reports whether a token is neither one repeated character, as in placeholders,
// nor a long name.
func varied(token string) bool {
	return entropy(token) >= 2 &&
		(len(token) < 20 || strings.ContainsAny(token, digits) || strings.ContainsAny(token, upper) && strings.ContainsAny(token, lower))
}

// maxToken is the maximum length of a token without fixed length.
const maxToken = 8192

// findTokens finds tokens for which the prefix is not sufficient: JSON web tokens, and
// the keys of OpenAI, Anthropic and others that begin with `sk-`.
func findTokens(found []Found, text string) []Found {
	each(text, "eyJ", func(i int) {
		if !inToken.begins(text, i) {
			return
		}
		end := i
		for part := range 3 {
			n := inToken.run(text, end, maxToken)
			if n > maxToken || part < 2 && n < 8 {
				return
			}
			if end += n; part < 2 {
				if end == len(text) || text[end] != '.' {
					return
				}
				end++
			}
		}
		found = append(found, Found{"jwt", i, end})
	})
	each(text, "sk-", func(i int) {
		if !inToken.begins(text, i) {
			return
		}
		n := inToken.run(text, i, 512)
		if n > 512 || !hasRandom(text[i:i+n]) {
			return
		}
		kind := "openai-key"
		if strings.HasPrefix(text[i:], "sk-ant-") {
			kind = "anthropic-key"
		}
		found = append(found, Found{kind, i, i + n})
	})
	return found
}

// findMarked finds tokens with a mark in the middle: those of Telegram bots, and
// Azure's client secrets.
func findMarked(found []Found, text string) []Found {
	each(text, ":AA", func(i int) {
		start := i
		for start > 0 && i-start <= 10 && strings.IndexByte(digits, text[start-1]) >= 0 {
			start--
		}
		n := inToken.run(text, i+1, 35)
		if d := i - start; d >= 8 && d <= 10 && n == 35 && inToken.begins(text, start) {
			found = append(found, Found{"telegram-token", start, i + 1 + n})
		}
	})
	each(text, "Q~", func(i int) {
		n := inAzure.run(text, i+2, 34)
		if start := i - 4; start >= 0 && n >= 31 && n <= 34 && inAzure.run(text, start, 3) >= 3 && strings.IndexByte(digits, text[i-1]) >= 0 &&
			inAzure.begins(text, start) {
			found = append(found, Found{"azure-secret", start, i + 2 + n})
		}
	})
	return found
}

var inAzure = chars(alphanum + "_~.-")

// hasRandom reports whether a part between dashes is long and contains a digit and a
// letter, as no word does.
func hasRandom(token string) bool {
	for part := range strings.SplitSeq(token, "-") {
		if len(part) >= 16 && strings.ContainsAny(part, digits) && strings.ContainsAny(part, upper+lower) {
			return true
		}
	}
	return false
}

// each calls f with each index of anchor in text.
func each(text, anchor string, f func(i int)) {
	for at := 0; ; {
		i := strings.Index(text[at:], anchor)
		if i < 0 {
			return
		}
		f(at + i)
		at += i + len(anchor)
	}
}

package session

import "strings"

// A shape is a secret that is known by how it begins.
type shape struct {
	kind     string
	anchor   string
	of       *charset // what follows the anchor
	min, max int      // how many of them
	lone     bool     // the anchor is no secret and stays
}

// shapes are as their makers document them, those of old included.
var shapes = []shape{
	{kind: "aws-key", anchor: "AKIA", of: chars(upper + digits), min: 16, max: 16},
	{kind: "aws-key", anchor: "ASIA", of: chars(upper + digits), min: 16, max: 16},
	{kind: "aws-key", anchor: "ABIA", of: chars(upper + digits), min: 16, max: 16},
	{kind: "github-token", anchor: "ghp_", of: inWord, min: 30, max: 255},
	{kind: "github-token", anchor: "gho_", of: inWord, min: 30, max: 255},
	{kind: "github-token", anchor: "ghu_", of: inWord, min: 30, max: 255},
	{kind: "github-token", anchor: "ghs_", of: inWord, min: 30, max: 255},
	{kind: "github-token", anchor: "ghr_", of: inWord, min: 30, max: 255},
	{kind: "github-token", anchor: "github_pat_", of: inWord, min: 22, max: 255},
	{kind: "gitlab-token", anchor: "glpat-", of: chars(alphanum + "_-."), min: 20, max: 300},
	{kind: "gitlab-token", anchor: "gldt-", of: inToken, min: 20, max: 300},
	{kind: "gitlab-token", anchor: "glrt-", of: chars(alphanum + "_-."), min: 20, max: 300},
	{kind: "gitlab-token", anchor: "glcbt-", of: inToken, min: 20, max: 300},
	{kind: "gitlab-token", anchor: "glptt-", of: inToken, min: 20, max: 300},
	{kind: "slack-token", anchor: "xoxb-", of: inToken, min: 16, max: 300},
	{kind: "slack-token", anchor: "xoxp-", of: inToken, min: 16, max: 300},
	{kind: "slack-token", anchor: "xoxa-", of: inToken, min: 16, max: 300},
	{kind: "slack-token", anchor: "xoxr-", of: inToken, min: 16, max: 300},
	{kind: "slack-token", anchor: "xoxs-", of: inToken, min: 16, max: 300},
	{kind: "slack-token", anchor: "xoxe-", of: inToken, min: 16, max: 300},
	{kind: "slack-token", anchor: "xapp-", of: inToken, min: 16, max: 300},
	{kind: "slack-webhook", anchor: "hooks.slack.com/services/", of: chars(alphanum + "/"), min: 20, max: 120, lone: true},
	{kind: "google-key", anchor: "AIza", of: inToken, min: 35, max: 35},
	{kind: "google-token", anchor: "ya29.", of: inToken, min: 20, max: 2048},
	{kind: "google-secret", anchor: "GOCSPX-", of: inToken, min: 20, max: 64},
	{kind: "stripe-key", anchor: "sk_live_", of: chars(alphanum), min: 16, max: 255},
	{kind: "stripe-key", anchor: "sk_test_", of: chars(alphanum), min: 16, max: 255},
	{kind: "stripe-key", anchor: "rk_live_", of: chars(alphanum), min: 16, max: 255},
	{kind: "stripe-key", anchor: "rk_test_", of: chars(alphanum), min: 16, max: 255},
	{kind: "stripe-secret", anchor: "whsec_", of: inBase64, min: 24, max: 128},
	{kind: "npm-token", anchor: "npm_", of: chars(alphanum), min: 36, max: 36},
	{kind: "pypi-token", anchor: "pypi-AgEI", of: inToken, min: 50, max: 1024},
	{kind: "huggingface-token", anchor: "hf_", of: chars(alphanum), min: 30, max: 64},
	{kind: "groq-key", anchor: "gsk_", of: chars(alphanum), min: 40, max: 80},
	{kind: "sendgrid-key", anchor: "SG.", of: chars(alphanum + "_-."), min: 50, max: 80},
	{kind: "digitalocean-token", anchor: "dop_v1_", of: chars(digits + "abcdef"), min: 64, max: 64},
	{kind: "shopify-token", anchor: "shpat_", of: chars(digits + upper + lower), min: 32, max: 64},
	{kind: "age-key", anchor: "AGE-SECRET-KEY-1", of: chars(upper + digits), min: 50, max: 64},
}

func (s *shape) find(found []span, text string) []span {
	for i, at := 0, 0; ; at = i + len(s.anchor) {
		if i = strings.Index(text[at:], s.anchor); i < 0 {
			return found
		}
		i += at
		body := i + len(s.anchor)
		if !s.lone && !s.of.begins(text, i) {
			continue
		}
		n := s.of.run(text, body, s.max)
		if n < s.min || n > s.max {
			continue
		}
		start := i
		if s.lone {
			start = body
		}
		found = append(found, span{start, body + n, s.kind})
	}
}

// maxToken is how long a token of no fixed length may be.
const maxToken = 8192

// findTokens finds what a beginning alone does not tell: JSON web tokens, and
// the keys of OpenAI, Anthropic and those who took over their `sk-`.
func findTokens(found []span, text string) []span {
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
		found = append(found, span{i, end, "jwt"})
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
		found = append(found, span{i, i + n, kind})
	})
	return found
}

// hasRandom says whether a part between dashes is long and holds a digit and a
// letter, as no word does.
func hasRandom(token string) bool {
	for part := range strings.SplitSeq(token, "-") {
		if len(part) >= 16 && strings.ContainsAny(part, digits) && strings.ContainsAny(part, upper+lower) {
			return true
		}
	}
	return false
}

// each calls f with where anchor stands in text.
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

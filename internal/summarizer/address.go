package summarizer

import (
	"net"
	"net/url"
	"strings"
)

// address is where requests go: the URL of the settings, or the kind's own, with
// the path that the kind's protocol has.
func (c *config) address(section int, s settings) (string, error) {
	base, path := "https://api.openai.com/v1", "/chat/completions"
	if s.Kind == Anthropic {
		base, path = "https://api.anthropic.com", "/v1/messages"
	}
	i := c.doc.Member(section, "url")
	if i < 0 {
		if s.KeyEnv == "" {
			return "", c.fail(section, "name the environment variable that holds the key, or a \"url\" of your own", "a summarizer of kind %s needs \"api_key_env\"", s.Kind)
		}
		return base + path, nil
	}
	u, err := url.Parse(s.URL)
	switch {
	case err != nil || u.Host == "" || u.Opaque != "" || u.Scheme != "https" && u.Scheme != "http":
		return "", c.fail(i, "such as "+base, "\"url\" is no address that begins with https:// or http://")
	case u.User != nil || u.RawQuery != "" || u.ForceQuery || u.Fragment != "":
		return "", c.fail(i, "a key belongs into the environment variable that \"api_key_env\" names", "\"url\" is to hold no user, no password, no ? and no #")
	case u.Scheme == "http" && !s.AllowHTTP && !local(u.Hostname()):
		return "", c.fail(i, "use https; or, where the way to that host is safe, add \"allow_http\": true",
			"%q would send the conversation unencrypted to another machine", cut(s.URL, 100))
	}
	// Many know an address by its whole path, or by a part of it.
	given := strings.TrimRight(u.String(), "/")
	given = strings.TrimSuffix(given, path)
	if s.Kind == Anthropic {
		given = strings.TrimSuffix(given, "/v1")
	}
	return given + path, nil
}

// local says whether a host is this machine.
func local(host string) bool {
	ip := net.ParseIP(host)
	return strings.EqualFold(host, "localhost") || ip != nil && ip.IsLoopback()
}

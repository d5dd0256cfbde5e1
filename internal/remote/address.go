package remote

import (
	"net"
	"net/url"
	"strings"
)

// A Server holds the members of a section that describe a server.
type Server struct {
	URL       string `json:"url"`
	KeyEnv    string `json:"api_key_env"`
	AllowHTTP bool   `json:"allow_http"`
}

// Address returns the URL for requests. It is the URL of the section, or else base, followed by the
// path of the protocol. The argument what describes the section in messages. The URL of the
// section may also end in path or in ending.
func (c *Config) Address(section int, s Server, what, base, path, ending string) (string, error) {
	i := c.Doc.Member(section, "url")
	if i < 0 {
		if s.KeyEnv == "" {
			return "", c.Fail(section, "name the environment variable that holds the key, or a \"url\" of your own", "%s needs \"api_key_env\"", what)
		}
		return base + path, nil
	}
	u, err := url.Parse(s.URL)
	switch {
	case err != nil || u.Host == "" || u.Opaque != "" || u.Scheme != "https" && u.Scheme != "http":
		return "", c.Fail(i, "such as "+base, "\"url\" is no address that begins with https:// or http://")
	case u.User != nil || u.RawQuery != "" || u.ForceQuery || u.Fragment != "":
		return "", c.Fail(i, "a key belongs into the environment variable that \"api_key_env\" names", "\"url\" is to hold no user, no password, no ? and no #")
	case u.Scheme == "http" && !s.AllowHTTP && !local(u.Hostname()):
		return "", c.Fail(i, "use https; or, where the way to that host is safe, add \"allow_http\": true",
			"%q would send the conversation unencrypted to another machine", Cut(s.URL, 100))
	}
	// Users write the whole path of an address, or a part of it.
	given := strings.TrimRight(u.String(), "/")
	given = strings.TrimSuffix(given, path)
	return strings.TrimSuffix(given, ending) + path, nil
}

// Key returns the API key from the environment variable that a section names, or "" if it names
// none. The error lacks means that the variable is not set.
func (c *Config) Key(section int, s Server, getenv func(string) string) (key string, lacks error) {
	if s.KeyEnv == "" {
		return "", nil
	}
	if key = strings.TrimSpace(getenv(s.KeyEnv)); key == "" {
		lacks = c.Fail(c.Doc.Member(section, "api_key_env"), "set it where forgemind runs, or take the "+c.Doc.Key(section)+" out",
			"the environment variable that api_key_env names is not set")
	}
	return key, lacks
}

// local reports whether a host is this machine.
func local(host string) bool {
	ip := net.ParseIP(host)
	return strings.EqualFold(host, "localhost") || ip != nil && ip.IsLoopback()
}

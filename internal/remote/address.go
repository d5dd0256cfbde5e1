package remote

import (
	"net"
	"net/url"
	"strings"
)

// A Server is what a section says of who is asked.
type Server struct {
	URL       string `json:"url"`
	KeyEnv    string `json:"api_key_env"`
	AllowHTTP bool   `json:"allow_http"`
}

// Address is where requests go: the URL of the section, or the base that the kind
// of server has, with the path of its protocol. what says what the section
// describes; ending is an end of the base that a URL may have or not.
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
	// Many know an address by its whole path, or by a part of it.
	given := strings.TrimRight(u.String(), "/")
	given = strings.TrimSuffix(given, path)
	return strings.TrimSuffix(given, ending) + path, nil
}

// Key is the API key that a section names; "" where it names none. lacks is why
// nobody can be asked: the variable is not set.
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

// local says whether a host is this machine.
func local(host string) bool {
	ip := net.ParseIP(host)
	return strings.EqualFold(host, "localhost") || ip != nil && ip.IsLoopback()
}

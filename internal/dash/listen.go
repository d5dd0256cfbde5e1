package dash

import (
	"errors"
	"fmt"
	"net"
	"strconv"
	"strings"
	"syscall"
)

// loopback lists the addresses that only this machine can reach.
var loopback = [...]string{"127.0.0.1", "::1"}

// Listen listens on the loopback addresses of this machine with the same port. Port 0 means a free
// port.
func Listen(port int) ([]net.Listener, error) {
	const attempts = 20 // a port that is free on one address may be taken on the other
	for try := 1; ; try++ {
		all, err := listen(port)
		if err == nil || port != 0 || try == attempts {
			return all, err
		}
	}
}

func listen(port int) (all []net.Listener, err error) {
	var missing error
	for _, host := range loopback {
		l, err := net.Listen("tcp", net.JoinHostPort(host, strconv.Itoa(port)))
		switch {
		case errors.Is(err, syscall.EADDRNOTAVAIL) || errors.Is(err, syscall.EAFNOSUPPORT):
			missing = err
		case err != nil:
			for _, l := range all {
				l.Close()
			}
			return nil, fmt.Errorf("listen on port %d of %s: %w", port, host, err)
		default:
			all = append(all, l)
			port = l.Addr().(*net.TCPAddr).Port
		}
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("this machine has no loopback address: %w", missing)
	}
	return all, nil
}

// Hosts returns the values of the Host header that are valid for the listeners.
func Hosts(listeners []net.Listener) []string {
	var hosts []string
	port := ""
	for _, l := range listeners {
		hosts = append(hosts, l.Addr().String())
		_, port, _ = net.SplitHostPort(l.Addr().String())
	}
	hosts = append(hosts, "localhost:"+port)
	if port == "80" { // browsers omit the default port
		for _, host := range hosts {
			hosts = append(hosts, strings.TrimSuffix(host, ":80"))
		}
	}
	return hosts
}

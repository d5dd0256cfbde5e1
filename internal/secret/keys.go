package secret

import "strings"

const (
	pemBegin = "-----BEGIN "
	pemEnd   = "-----END "
	pemDash  = "-----"
	maxPEM   = 64 << 10
)

// findKeys finds private keys in PEM, also if they are cut off, have line numbers, or
// are in a JSON string.
func findKeys(found []Found, text string) []Found {
	done, end := 0, -1 // end is the end of the next complete key, -1 before the first search
	each(text, pemBegin, func(i int) {
		if i < done {
			return
		}
		label := text[i+len(pemBegin):]
		label = label[:min(len(label), 60)]
		name, _, ok := strings.Cut(label, pemDash)
		if !ok || !strings.Contains(name, "PRIVATE KEY") || strings.Contains(name, "\n") {
			return
		}
		body := i + len(pemBegin) + len(name) + len(pemDash)
		if end < body && end != len(text) {
			if end = strings.Index(text[body:], pemEnd); end < 0 {
				end = len(text) // there is no complete key in the rest of text
			} else {
				end += body
			}
		}
		stop := body + cutOff(text[body:])
		if end < len(text) && end-body <= maxPEM && !strings.Contains(text[body:end], pemBegin) {
			stop = end + len(pemEnd)
			if n := strings.Index(text[stop:min(len(text), stop+60)], pemDash); n >= 0 {
				stop += n + len(pemDash)
			}
		}
		if !hasKeyLine(text[body:stop]) {
			return
		}
		done = stop
		found = append(found, Found{"private-key", i, stop})
	})
	return found
}

// cutOff returns the number of bytes at the beginning of text that belong to a key
// without end: header lines, then lines of base64.
func cutOff(text string) int {
	text = text[:min(len(text), maxPEM)]
	end := 0
	for at := 0; at < len(text); {
		line, ending := text[at:], 0
		for _, newline := range []string{"\n", `\n`} {
			if before, _, ok := strings.Cut(line, newline); ok {
				line, ending = before, len(newline)
			}
		}
		word := strings.TrimSuffix(strings.TrimSpace(line), `\r`)
		n := inBase64.run(word, 0, len(word))
		if n < len(word) && !(strings.Contains(word, ": ") && len(word) < 80) {
			if n > keyLine {
				end = at + strings.Index(line, word) + n
			}
			break
		}
		end = at + len(line)
		at = end + ending
	}
	return end
}

// keyLine is a number of base64 characters that no word has.
const keyLine = 30

// hasKeyLine reports whether text contains a line of base64 as in a key, and is not
// prose between two mentions of a header.
func hasKeyLine(text string) bool {
	for i := 0; i < len(text); {
		n := inBase64.run(text, i, 40)
		if n > keyLine {
			return true
		}
		i += n + 1
	}
	return false
}

// findLogins finds passwords in URLs: scheme://user:password@host, also with one slash,
// if the URL was cleaned like a path.
func findLogins(found []Found, text string) []Found {
	each(text, ":/", func(i int) {
		user := i + len(":/")
		if user < len(text) && text[user] == '/' {
			user++
		} else if i < 3 || !inWord[text[i-1]] || !inWord[text[i-2]] || !inWord[text[i-3]] { // a Windows drive
			return
		}
		n := inLogin.run(text, user, 128)
		if user+n >= len(text) {
			return
		}
		if text[user+n] == '@' && n >= 20 && random(text[user:user+n]) {
			found = append(found, Found{"basic-auth", user, user + n})
		}
		if text[user+n] != ':' {
			return
		}
		pass := user + n + 1
		n = inPassword.run(text, pass, 256)
		if n == 0 || pass+n >= len(text) || text[pass+n] != '@' || strings.IndexByte("$<{*[", text[pass]) >= 0 {
			return
		}
		switch strings.ToLower(text[pass : pass+n]) { // placeholders in documentation
		case "pass", "passwd", "password", "pw", "pwd", "secret":
			return
		}
		if text[pass] == '%' && (n < 3 || !isHex(text[pass+1:pass+3])) { // a format verb such as %s
			return
		}
		found = append(found, Found{"basic-auth", pass, pass + n})
	})
	return found
}

var (
	inLogin    = chars(alphanum + "_-.+%~!$&*=")
	inPassword = chars(alphanum + "_-.+%~!$&*=(),;:#?^|[]{}<")
)

// findCurls finds passwords in the arguments of curl: curl -u user:password.
func findCurls(found []Found, text string) []Found {
	each(text, "curl ", func(i int) {
		line := commandLine(text[i:min(len(text), i+2000)])
		for _, flag := range []string{" -u ", " --user "} {
			each(line, flag, func(at int) {
				at += len(flag)
				at += inBlank.run(line, at, 4)
				word := shellWord(line[at:])
				user, pass, ok := strings.Cut(word, ":")
				if !ok {
					return
				}
				at += i
				if bare := strings.Trim(user, `\'"`); strings.Trim(pass, `\'"`) == "" && len(bare) >= 12 && random(bare) { // the token is the user name, without password
					start := at + strings.Index(word, bare)
					found = append(found, Found{"basic-auth", start, start + len(bare)})
					return
				}
				start := at + len(word) - len(strings.TrimLeft(pass, `\'"`))
				pass = strings.Trim(pass, `\'"`)
				if n := len(pass); n > 3 && n <= 128 && strings.IndexByte("$<{*[%", pass[0]) < 0 && !isPlaceholder(pass) {
					found = append(found, Found{"basic-auth", start, start + n})
				}
			})
		}
	})
	return found
}

// commandLine returns text up to the end of its first command; lines that end with a
// backslash continue.
func commandLine(text string) string {
	for at := 0; ; {
		n := strings.IndexByte(text[at:], '\n')
		if n < 0 {
			return text
		}
		if at += n; !strings.HasSuffix(strings.TrimRight(text[:at], "\r"), `\`) {
			return text[:at]
		}
		at++
	}
}

// shellWord returns the first word of text, with or without quotes. An escaped line
// break ends it too.
func shellWord(text string) string {
	quote := byte(0)
	for i := 0; i < len(text) && i < 300; i++ {
		switch c := text[i]; {
		case quote != 0 && c == quote:
			quote = 0
		case quote == 0 && (c == '"' || c == '\''):
			quote = c
		case c == '\n', quote == 0 && (c == ' ' || c == '\t'), c == '\\' && i+1 < len(text) && text[i+1] == 'n':
			return text[:i]
		}
	}
	return text[:min(len(text), 300)]
}

// findBearers finds the tokens after Bearer and in Authorization headers.
func findBearers(found []Found, text string) []Found {
	header := func(i int) bool {
		n := inHeader.run(text, i, maxToken)
		ok := n >= 16 && n <= maxToken && random(text[i:i+n])
		if ok {
			found = append(found, Found{"bearer-token", i, i + n})
		}
		return ok
	}
	each(text, "earer ", func(i int) {
		if i > 0 && (text[i-1] == 'B' || text[i-1] == 'b') {
			header(i + len("earer "))
		}
	})
	each(text, "uthorization:", func(i int) {
		i += len("uthorization:")
		i += inBlank.run(text, i, 4)
		if basic, ok := strings.CutPrefix(text[i:], "Basic "); ok {
			if n := inHeader.run(basic, 0, maxToken); n >= 8 && n <= maxToken {
				i += len("Basic ")
				found = append(found, Found{"basic-auth", i, i + n})
			}
			return
		}
		scheme := inHeader.run(text, i, 20)
		if !header(i) && scheme <= 20 && i+scheme < len(text) && text[i+scheme] == ' ' {
			header(i + scheme + 1)
		}
	})
	return found
}

var inBlank = chars(" \t")

var inHeader = chars(alphanum + "_-.~+/=")

func isHex(text string) bool { return strings.Trim(text, digits+"abcdefABCDEF") == "" }

package validate

import "github.com/forgemind/forgemind/schema"

// isTimeText reports whether s is a time that schema.ParseTime accepts.
func isTimeText(s []byte) bool {
	if plainTime(s) {
		return true
	}
	_, err := schema.ParseTime(string(s))
	return err == nil
}

// plainTime reports whether s is a common RFC 3339 time: upper-case T, Z or a numeric
// zone, no leap second. It returns false for other times.
func plainTime(s []byte) bool {
	const form = "0000-00-00T00:00:00"
	if len(s) < len(form)+1 {
		return false
	}
	for i, c := range []byte(form) {
		if c == '0' && s[i]-'0' > 9 || c != '0' && s[i] != c {
			return false
		}
	}
	two := func(i int) int { return int(s[i]-'0')*10 + int(s[i+1]-'0') }
	if month, day := two(5), two(8); month < 1 || month > 12 || day < 1 || day > 28 && day > monthDays(two(0)*100+two(2), month) {
		return false
	}
	if two(11) > 23 || two(14) > 59 || two(17) > 59 {
		return false
	}
	i := len(form)
	if s[i] == '.' {
		start := i + 1
		for i = start; i < len(s) && s[i]-'0' <= 9; i++ {
		}
		if i == start || i-start > 9 {
			return false
		}
	}
	switch rest := s[i:]; {
	case len(rest) == 1:
		return rest[0] == 'Z'
	case len(rest) == 6 && (rest[0] == '+' || rest[0] == '-') && rest[3] == ':':
		for _, k := range [...]int{1, 2, 4, 5} {
			if rest[k]-'0' > 9 {
				return false
			}
		}
		return two(i+1) <= 23 && two(i+4) <= 59
	}
	return false
}

func monthDays(year, month int) int {
	switch month {
	case 2:
		if year%4 == 0 && (year%100 != 0 || year%400 == 0) {
			return 29
		}
		return 28
	case 4, 6, 9, 11:
		return 30
	}
	return 31
}

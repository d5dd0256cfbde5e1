package session_test

import (
	"slices"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/forgemind/forgemind/internal/session"
)

func TestTitleOfAnObjective(t *testing.T) {
	for objective, want := range map[string]string{
		"Implement JWT authentication":            "JWT Authentication Implementation",
		"implementing the JWT authentication.":    "JWT Authentication Implementation",
		"Implement a login for admins":            "Login Implementation for Admins",
		"Migrate auth/jwt.py to PyJWT":            "auth/jwt.py Migration to PyJWT",
		"Fix Redis connection":                    "Fix Redis connection",
		"  Fix\n\tRedis \x1b connection! ":        "Fix Redis connection",
		"Implement":                               "Implement",
		"Test with care":                          "Test with care",
		"…":                                       "…",
		"":                                        "",
		"Änderungen für José übersetzen":          "Änderungen für José übersetzen",
		"Document state of the art of everything": "State of the Art of Everything Documentation",
		"Implement everything that the thirty-two pages of the document ask for, and then more": "Implement everything that the thirty-two pages of the…",
		"Fix xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx":              "Fix…",
	} {
		if got := session.Title(objective); got != want {
			t.Errorf("%q has the title %q, not %q", objective, got, want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		if title := session.Title(rapid.String().Draw(t, "objective")); utf8.RuneCountInString(title) > 60 || !utf8.ValidString(title) {
			t.Fatalf("%q", title)
		}
	})
}

func TestTagsOfATitle(t *testing.T) {
	for title, want := range map[string][]string{
		"JWT Authentication Implementation":            {"jwt", "authentication", "implementation"},
		"Fix Redis connection":                         {"fix", "redis", "connection"},
		"auth/jwt.py Migration to C++ – a":             {"auth", "jwt.py", "migration", "c++"},
		"Go go GO":                                     {"go"},
		"one two three four five six seven eight nine": {"one", "two", "three", "four", "five", "six", "seven", "eight"},
		"to the of":                                    nil,
	} {
		if got := session.Tags(title); !slices.Equal(got, want) {
			t.Errorf("%q has the tags %q, not %q", title, got, want)
		}
	}
}

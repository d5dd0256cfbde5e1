package lsp

import (
	"bytes"
	"path"
	"strconv"

	"github.com/forgemind/forgemind/internal/jsonedit"
)

// A cursor is a place in a JSON text, which may be incomplete.
type cursor struct {
	path       []string // the members and indexes that lead to the object, array or value at the place
	start, end int      // the token at the place with its quotes; empty between tokens
	key        bool     // the token is, or a token there would be, the name of a member
	value      bool     // the token is, or a token there would be, a value
	colon      bool     // a colon follows the token
	members    []string // the names of the other members of the object at the place
}

// A frame is an object or array that a scanner is in.
type frame struct {
	object  bool
	key     string // the name of the current member
	colon   bool   // the colon of the current member was read
	index   int
	members []string
}

// cursorAt returns the cursor at an offset of the document: of the line of it in JSONL. It returns
// false if the document is neither JSON nor JSONL.
func (d *document) cursorAt(offset int) (cursor, bool) {
	start, end := 0, len(d.src)
	switch path.Ext(d.name) {
	case ".json":
	case ".jsonl":
		start = bytes.LastIndexByte(d.src[:offset], '\n') + 1
		if i := bytes.IndexByte(d.src[offset:], '\n'); i >= 0 {
			end = offset + i
		}
	default:
		return cursor{}, false
	}
	c := newCursor(d.src[start:end], offset-start)
	c.start, c.end = c.start+start, c.end+start
	return c, true
}

// newCursor returns the cursor at an offset of a text. A token that ends at the offset is at it, except
// for a string with its closing quote and for punctuation.
func newCursor(src []byte, offset int) cursor {
	var stack []frame
	c, at := cursor{start: offset, end: offset}, 0
	for at < len(src) {
		end := tokenEnd(src, at)
		if isAt(src[at:end], at, offset) {
			break
		}
		stack = step(stack, src[at:end])
		at = end
	}
	c.place(stack)
	depth := len(stack)
	if at < len(src) && bytes.IndexByte([]byte("{}[],: \t\r\n"), src[at]) < 0 {
		c.start, c.end = at, tokenEnd(src, at)
		c.colon = bytes.HasPrefix(bytes.TrimLeft(src[c.end:], " \t\r\n"), []byte(":"))
		if at = c.end; c.key {
			stack[depth-1].key = unquote(src[c.start:c.end])
		}
	}
	for depth > 0 && len(stack) >= depth {
		c.members = stack[depth-1].members
		if at == len(src) {
			break
		}
		end := tokenEnd(src, at)
		stack = step(stack, src[at:end])
		at = end
	}
	return c
}

// isAt reports whether the token is the first that ends after an offset, or at it if more of it
// could follow.
func isAt(token []byte, start, offset int) bool {
	end := start + len(token)
	if end > offset {
		return true
	}
	return end == offset && token[0] != '"' && bytes.IndexByte([]byte("{}[],: \t\r\n"), token[0]) < 0 ||
		end == offset && token[0] == '"' && (len(token) == 1 || token[len(token)-1] != '"')
}

// place sets the path of the cursor, and what a token would be there.
func (c *cursor) place(stack []frame) {
	for i, f := range stack {
		last := i == len(stack)-1
		switch {
		case !f.object:
			c.path = append(c.path, strconv.Itoa(f.index))
		case !last || f.colon:
			c.path = append(c.path, f.key)
		}
		if last {
			c.key, c.value = f.object && !f.colon, !f.object || f.colon
		}
	}
}

// step returns the stack after a token.
func step(stack []frame, token []byte) []frame {
	top := len(stack) - 1
	switch {
	case token[0] == '{' || token[0] == '[':
		if len(stack) >= jsonedit.MaxDepth {
			return stack
		}
		return append(stack, frame{object: token[0] == '{'})
	case top < 0:
	case token[0] == '}' || token[0] == ']':
		return stack[:top]
	case token[0] == ':':
		stack[top].colon = true
	case token[0] == ',':
		stack[top].index++
		stack[top].key, stack[top].colon = "", false
	case token[0] == '"' && stack[top].object && !stack[top].colon:
		stack[top].key = unquote(token)
		stack[top].members = append(stack[top].members, stack[top].key)
	}
	return stack
}

// tokenEnd returns the end of the token, or of the white space, that begins at an offset.
func tokenEnd(src []byte, at int) int {
	switch b := src[at]; {
	case b == '"':
		return at + stringEnd(src[at:])
	case bytes.IndexByte([]byte("{}[],:"), b) >= 0:
		return at + 1
	case isSpace(b):
		for at++; at < len(src) && isSpace(src[at]); {
			at++
		}
		return at
	}
	for at++; at < len(src) && !isSpace(src[at]) && bytes.IndexByte([]byte(`{}[],:"`), src[at]) < 0; {
		at++
	}
	return at
}

func isSpace(b byte) bool { return b == ' ' || b == '\t' || b == '\r' || b == '\n' }

// unquote returns the text of a JSON string, which may lack its closing quote.
func unquote(token []byte) string {
	if doc, err := jsonedit.Parse(token); err == nil {
		text, _ := doc.Str(0)
		return text
	}
	return string(bytes.Trim(token, `"`))
}

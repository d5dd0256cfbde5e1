package condense

import (
	"reflect"
	"strings"
	"testing"
)

// A condensation that people went over: other order, lists for lines, paragraphs
// and sections of their own. Each of their words is in what is written from it.
const goneOver = `# Our notes of Sunday

<!-- please keep -->
## 📝 Condensation: Material of the M2 mirror

Some words before the labels.

**Decision:** Clearceram-Z HS.

The blanks come from Sagamihara.

- grade HS
- no coating yet

**Participants:**
- manager (chair)
* optics
+ thermal

**Why it matters:** mass and money.

**Rationale:**
1. Its CTE matches.
2. It arrives earlier.

A closing remark of the rationale.

**Action items:**
- [x] optics: Update the material card.
- [ ] thermal: Ask for a quote,
  by Friday, in writing.
    - with delivery dates

That list was agreed on the phone.

**Context:** Zerodur is over budget.
**date:** 15.02.2026
**Channel**: #proj-starspec-wfe
**Supersedes:** DEC-001, DEC-7F3K2Q
and the bolts of Wednesday
**Thread:** thread-4kq2mz
**Decision:** And the spare too.

| grade | price |
|-------|-------|
| HS    | 289   |

### Photos

![blank](blank.png)
`

func TestNothingOfAHandEditIsLost(t *testing.T) {
	for name, src := range map[string]string{"LF": goneOver, "CRLF": strings.ReplaceAll(goneOver, "\n", "\r\n")} {
		c, err := ReadCondensation("", []byte(src))
		if err != nil {
			t.Fatal(err)
		}
		written := string(c.Markdown())
		for word := range strings.FieldsSeq(letters(strings.NewReplacer("15.02.2026", "2026-02-15", "[x]", "", "1. ", "", "2. ", "").Replace(src))) {
			if !strings.Contains(" "+letters(written)+" ", " "+word+" ") {
				t.Errorf("%s: %q is lost in\n%s", name, word, written)
			}
		}
		if again, err := ReadCondensation("", []byte(written)); err != nil || !reflect.DeepEqual(again, c) {
			t.Errorf("%s: read again it is %+v, not %+v", name, again, c)
		}
		if want := []string{"manager (chair)", "optics", "thermal"}; !reflect.DeepEqual(c.Participants, want) || c.Date != "2026-02-15" || c.Channel != "proj-starspec-wfe" || len(c.Missing) > 0 {
			t.Errorf("%s: %+v", name, c)
		}
	}
}

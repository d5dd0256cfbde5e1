package importer_test

import (
	"fmt"
	"io/fs"
	"iter"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/forgemind/forgemind/internal/importer"
)

// files is a directory of files by name.
type files map[string]string

func (f files) Read(name string) ([]byte, error) {
	if src, ok := f[name]; ok {
		return []byte(src), nil
	}
	return nil, fs.ErrNotExist
}

func (f files) Names(dir string) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		for _, name := range slices.Sorted(maps.Keys(f)) {
			if (name == dir || strings.HasPrefix(name, dir+"/")) && !yield(name, nil) {
				return
			}
		}
	}
}

// read imports the usual places of a format.
func read(t *testing.T, format string, f files) importer.Result {
	t.Helper()
	found, ok := importer.FormatNamed(format)
	if !ok {
		t.Fatal(format)
	}
	res, err := found.Read(f, found.Places(f))
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// summary returns the items of a result, one a line.
func summary(res importer.Result) string {
	var out strings.Builder
	for _, it := range res.Items {
		fmt.Fprintf(&out, "%s %s:%d %q", it.Kind, it.Source.File, it.Source.Line, it.Text)
		if len(it.At) > 10 {
			fmt.Fprintf(&out, " at %s", it.At[:10])
		}
		if it.By != "" {
			fmt.Fprintf(&out, " by %s", it.By)
		}
		if len(it.Rejected) > 0 {
			fmt.Fprintf(&out, " not %q", it.Rejected)
		}
		for _, key := range it.Supersedes {
			fmt.Fprintf(&out, " supersedes %s", key[strings.LastIndexByte(key, '/')+1:])
		}
		out.WriteByte('\n')
	}
	for _, p := range res.Problems {
		fmt.Fprintf(&out, "? %s:%d %s\n", p.File, p.Line, p.Message)
	}
	return out.String()
}

func TestDecisionRecords(t *testing.T) {
	for _, c := range []struct{ name, src, want string }{
		{"0001-x.md", "# 1. Record decisions\r\n\r\nDate: 2016-02-12\r\n\r\n## Status\r\n\r\nAccepted\r\n\r\n## Context\r\n\r\nWe need it.\r\n\r\n## Decision\r\n\r\nWe will use ADRs.\r\n\r\n## Consequences\r\n\r\nSee it.\r\n",
			`decision docs/adr/0001-x.md:1 "Record decisions" at 2016-02-12`},
		{"0002-madr2.md", "# Use MADR\n\n* Status: accepted\n* Deciders: Ann, Bob\n* Date: 2020-03-05\n\nTechnical Story: #12\n\n## Context and Problem Statement\n\nWhich?\n\n## Considered Options\n\n* [MADR](https://x) 2.1\n* Nygard\n* Y-Statements\n\n## Decision Outcome\n\nChosen option: \"MADR 2.1\", because it is lean.\n",
			`decision docs/adr/0002-madr2.md:1 "Use MADR" at 2020-03-05 by Ann, Bob not ["Nygard" "Y-Statements"]`},
		{"0003-madr4.md", "---\nstatus: \"proposed\"\ndate: 2024-05-06\ndecision-makers: [Ann, Bob]\n---\n\n# Cache pages\n\n## Decision Outcome\n\nChosen option: Redis, because.\n",
			`question docs/adr/0003-madr4.md:7 "Proposed: Cache pages" at 2024-05-06 by Ann, Bob`},
		{"20200926-log4.md", "# Use slugs\n\n- Status: rejected\n- Date: 2020-09-26\n- Tags: dev\n\n## Context and Problem Statement\n\nA\n\n## Decision Outcome\n\nB\n",
			`note docs/adr/20200926-log4.md:1 "Rejected: Use slugs" at 2020-09-26`},
		{"adr001-backstage.md", "---\nid: adrs-adr001\ntitle: 'ADR001: Log decisions'\ndescription: x\n---\n\n## Context\n\nA\n\n## Decision\n\nB\n\n## Consequences\n\nC\n",
			`decision docs/adr/adr001-backstage.md:1 "Log decisions"`},
		{"0004-table.md", "# ADR-004: Use tables\n\n| Status | Accepted |\n|---|---|\n| Date | 5 March 2021 |\n| Author | Cid |\n\n## Decision\n\nB\n",
			`decision docs/adr/0004-table.md:1 "Use tables" at 2021-03-05 by Cid`},
		{"0005-columns.md", "# Use columns\n\n| Date | Status | Deciders |\n|---|---|---|\n| 2021-03-05 | Deprecated | Cid |\n\n## Decision\n\nB\n",
			`note docs/adr/0005-columns.md:1 "Deprecated: Use columns" at 2021-03-05 by Cid`},
		{"0006-de.md", "# Datenbank für Aufträge\n\n## Stand\n\nAngenommen am 05.03.2021\n\n## Kontext\n\nA\n\n## Entscheidung\n\nPostgreSQL\n\n## Konsequenzen\n\nB\n",
			`decision docs/adr/0006-de.md:1 "Datenbank für Aufträge" at 2021-03-05`},
		{"0007-fr.md", "# 7. Utiliser Kafka\n\nDate : 5 mars 2021\n\n## Statut\n\nRejetée\n\n## Contexte\n\nA\n\n## Décision\n\nB\n\n## Conséquences\n\nC\n",
			`note docs/adr/0007-fr.md:1 "Rejected: Utiliser Kafka" at 2021-03-05`},
		{"0008-es.md", "# Usar colas\n\n* Estado: aceptada\n* Fecha: 2021-03-05\n* Responsables: Eva\n\n## Contexto y planteamiento del problema\n\nA\n\n## Opciones consideradas\n\n* Colas\n* Llamadas\n\n## Resultado de la decisión\n\nOpción elegida: \"Colas\", porque sí.\n",
			`decision docs/adr/0008-es.md:1 "Usar colas" at 2021-03-05 by Eva not ["Llamadas"]`},
		{"0009-pt.md", "# Usar filas\n\n## Estado\n\nProposto\n\n## Contexto\n\nA\n\n## Decisão\n\nB\n\n## Consequências\n\nC\n",
			`question docs/adr/0009-pt.md:1 "Proposed: Usar filas"`},
		{"0010-zh.md", "# 使用消息队列\n\n日期：2021年3月5日\n\n## 状态\n\n已接受\n\n## 背景\n\nA\n\n## 决策\n\nB\n\n## 后果\n\nC\n",
			`decision docs/adr/0010-zh.md:1 "使用消息队列" at 2021-03-05`},
		{"0011-ja.md", "# キューを使う\n\n- ステータス: 承認済み\n- 日付: 2021-03-05\n\n## コンテキスト\n\nA\n\n## 決定\n\nB\n\n## 結果\n\nC\n",
			`decision docs/adr/0011-ja.md:1 "キューを使う" at 2021-03-05`},
		{"0012-bold.md", "# Use gRPC\n\n**Status:** ~~Proposed~~ Accepted (2021-03-05)\n\n**Author:** Cid\n\n## Decision\n\nB\n", `decision docs/adr/0012-bold.md:1 "Use gRPC" at 2021-03-05 by Cid`},
		{"0013-partly.md", "# Networks\n\n## Status\n\nPartly superseded\n\n## Decision\n\nB\n", `decision docs/adr/0013-partly.md:1 "Networks"`},
		{"0014-unfilled.md", "# Networks\n\n* Status: [proposed | rejected | accepted | deprecated]\n* Date: YYYY-MM-DD\n\n## Decision Outcome\n\nB\n", "question docs/adr/0014-unfilled.md:1 \"Proposed: Networks\"\n? docs/adr/0014-unfilled.md:3 the status is that of the template"},
		{"0015-odd.md", "# Networks\n\n## Status\n\nPurple\n\n## Decision\n\nB\n", "question docs/adr/0015-odd.md:1 \"Proposed: Networks\"\n? docs/adr/0015-odd.md:5 the status \"Purple\" is not understood; the decision counts as proposed"},
		{"0016-text.md", "# Only a text\n\nNothing here.\n", "? docs/adr/0016-text.md:1 it is no decision record: it has neither a status nor a heading for the decision"},
		{"0017-date.md", "# Ambiguous\n\nDate: 03/04/2021\n\n## Status\n\nAccepted\n\n## Decision\n\nB\n", "decision docs/adr/0017-date.md:1 \"Ambiguous\"\n? docs/adr/0017-date.md:3 the date \"03/04/2021\" is not understood"},
		{"0018-setext.md", "Use setext\n==========\n\nStatus\n------\n\nWithdrawn\n\nDecision\n--------\n\nB\n", `note docs/adr/0018-setext.md:1 "Rejected: Use setext"`},
		{"template.md", "# Title\n\n## Status\n\nAccepted\n", ""},
		{"README.md", "# Decisions\n\nA list.\n", ""},
	} {
		if got := strings.TrimSpace(summary(read(t, importer.ADR, files{"docs/adr/" + c.name: c.src}))); got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
}

// Links lead to records by file, number or title, in either direction, also if a file was renamed.
func TestSupersededRecords(t *testing.T) {
	record := func(status, more string) string {
		return "# Use " + more + "\n\n## Status\n\n" + status + "\n\n## Decision\n\nB\n"
	}
	for _, c := range []struct {
		old, new, links string
		superseded      bool
	}{
		{"Superseded by [2. Use new](0002-new.md)", "Accepted", "", true},
		{"Superceded by [2. Use new](0002-named-before.md)", "Accepted", "", true},
		{"superseded by ADR-0002", "Accepted", "", true},
		{"Superseded by Use new", "Accepted", "", true},
		{"Accepted", "Accepted\n\nSupersedes [1. Use old](0001-old.md)", "", true},
		{"Accepted", "Accepted\n\nSupercedes ADR 1", "", true},
		{"Accepted", "Accepted", "## Links\n\n* Supersedes [ADR-0001](0001-old.md)\n", true},
		{"Ersetzt durch ADR-0002", "Akzeptiert", "", true},
		{"Akzeptiert", "Akzeptiert, ersetzt ADR-0001", "", true},
		{"Remplacée par [2](0002-new.md)", "Acceptée", "", true},
		{"Reemplazado por ADR-0002", "Aceptado", "", true},
		{"Substituída por ADR-0002", "Aceita", "", true},
		{"被 [ADR-0002](0002-new.md) 取代", "已接受", "", true},
		{"已接受", "已接受，取代 ADR-0001", "", true},
		{"[ADR-0002](0002-new.md)によって置き換えられました", "承認", "", true},
		{"Accepted", "Proposed\n\nSupersedes [1](0001-old.md)", "", false},
		{"Accepted", "Accepted\n\nPartially supersedes [1](0001-old.md)", "", false},
		{"Accepted", "Accepted", "## Context\n\nThis replaces ADR 1 in some cases.\n", false},
	} {
		res := read(t, importer.ADR, files{
			"doc/adr/0001-old.md": record(c.old, "old"), "doc/adr/0002-new.md": record(c.new, "new") + "\n" + c.links,
		})
		got := summary(res)
		if strings.Contains(got, "supersedes 0001-old.md") != c.superseded || strings.Contains(got, "? ") || !strings.Contains(got, `"Use old"`) {
			t.Errorf("%s; %s %s: superseded %v\n%s", c.old, c.new, c.links, !c.superseded, got)
		}
	}
	got := summary(read(t, importer.ADR, files{"adr/0001-old.md": record("Superseded by ADR-0009", "old")}))
	if !strings.Contains(got, `note adr/0001-old.md:1 "Superseded: Use old"`) || !strings.Contains(got, `there is no record "ADR-0009"`) {
		t.Errorf("a successor that is not here: %s", got)
	}
}

package storetest

import (
	"slices"
	"strings"

	"github.com/trove-api/trove/store"
)

// tale is searched for words.
type tale struct {
	ID    int64   `json:"id"`
	Title string  `json:"title" api:"search=fulltext:english"`
	Text  *string `json:"text" api:"search=fulltext"`
}

func wordRules() []rule[*trial[tale]] {
	return []rule[*trial[tale]]{{
		"random searches for words match the reference implementation, also after changes",
		"A text contains a value if it has all of its words, one after another. Words are runs of letters, marks and digits in one normal form, regardless of case, and stems in a language. " +
			"Quotes and operators of the database have no meaning, and its own parsers, stop words and limits no effect. Null contains nothing.",
		func(c *trial[tale]) {
			c.supportsAll = true
			random, all := newGenerator(29), make([]*tale, 40)
			for i := range all {
				all[i] = &tale{ID: int64(i + 1), Title: random.words(9), Text: maybe(random, func() string { return random.words(9) })}
			}
			c.insertTogether(all...)
			for i := range 8 {
				all[i].Title, all[i].Text = random.words(9), nil
				c.transact(updating(any(all[i].ID), func(t *tale) { t.Title, t.Text = all[i].Title, nil }))
			}
			for _, last := range all[36:] {
				c.remove(last.ID)
			}
			records := oracleOf(slices.Clone(all[:36]))
			for range trials(150) {
				condition := store.Condition{Fields: []string{"title", "text"}[random.IntN(2):], Operator: store.FullText, Not: random.IntN(4) == 0}
				for range 1 + random.IntN(2) {
					condition.Values = append(condition.Values, random.words(3))
				}
				if !c.matches(records, store.Query{Where: []store.Condition{condition}}) {
					return
				}
			}
		},
	}}
}

// words returns up to n random words, with signs between them.
func (g *generator) words(n int) string {
	var text strings.Builder
	for range 1 + g.IntN(n) {
		text.WriteString(one(g, "gold", "Golden", "crown", "CROWNS", "the", "ÉTÉ", "été", "e\u0301te\u0301", "日本", "x2", "a_b", "o'hara", `\`, "''", `"`, ":*", "NEAR", "-", "%", "ﬁ", "½"))
		text.WriteString(one(g, " ", " ", " ", "-", "\n", ""))
	}
	return text.String()
}

package memory_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
)

// folded are the operators that ignore case, implemented with store.Fold.
var folded = map[store.Operator]func(text, part string) bool{
	store.EqualFold: func(text, part string) bool { return text == part },
	store.Contains:  strings.Contains,
	store.HasPrefix: strings.HasPrefix,
	store.HasSuffix: strings.HasSuffix,
	store.HasWordPrefix: func(text, part string) bool {
		return strings.HasPrefix(text, part) || strings.Contains(text, " "+part)
	},
}

func TestTextIsFoundAsIfItWereFolded(t *testing.T) {
	t.Parallel()
	type named struct {
		ID   int64  `json:"id"`
		Name string `json:"name"`
	}
	random := rand.New(rand.NewPCG(3, 4))
	letters := []string{"a", "A", "b", "k", "K", "\u212A", "s", "S", "\u017f", "é", "É", "ς", "Σ", "İ", " ", "日", "\xff", "\x00", "@", "[", "`", "{"}
	text := func(most int) string {
		var b strings.Builder
		for range random.IntN(most + 1) {
			b.WriteString(letters[random.IntN(len(letters))])
		}
		return b.String()
	}
	records := make([]named, 400)
	for i := range records {
		records[i].Name = text(24)
	}
	s := memory.New(records...)
	rounds := 300
	if testing.Short() {
		rounds = 60
	}
	for range rounds {
		part := text(3)
		if random.IntN(4) == 0 {
			part = records[random.IntN(len(records))].Name
		}
		for operator, test := range folded {
			want := 0
			for _, r := range records {
				if test(store.Fold(r.Name), store.Fold(part)) {
					want++
				}
			}
			page, err := s.List(t.Context(), store.Query{Where: condition("name", operator, part), Count: true})
			if err != nil || page.Total != want {
				t.Fatalf("%q %s: %d records, %v, want %d", part, operator, page.Total, err, want)
			}
		}
	}
}

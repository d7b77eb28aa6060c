package collections_test

import (
	"fmt"
	"math/rand/v2"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/internal/fulltext"
	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
)

// Tale is searched for words, in two languages and in none.
type Tale struct {
	ID    int64   `json:"id"`
	Title string  `json:"title" api:"search=fulltext:english"`
	Text  *string `json:"text" api:"search=fulltext:german"`
	Cover struct {
		Note string `json:"note" api:"search=fulltext"`
	} `json:"cover"`
}

// texts returns the words of the fields of a tale.
func (t *Tale) texts() (all [][2]string) {
	all = append(all, [2]string{"english", t.Title}, [2]string{"", t.Cover.Note})
	if t.Text != nil {
		all = append(all, [2]string{"german", *t.Text})
	}
	return all
}

// found reports whether a query finds a tale.
func (t *Tale) found(query [][]fulltext.Term) bool {
	return query == nil || slices.ContainsFunc(query, func(terms []fulltext.Term) bool {
		return !slices.ContainsFunc(terms, func(term fulltext.Term) bool {
			return term.Not == slices.ContainsFunc(t.texts(), func(text [2]string) bool {
				words, phrase := fulltext.Words(text[0], text[1]), fulltext.Words(text[0], term.Text)
				for i := range len(words) - len(phrase) + 1 {
					if slices.Equal(words[i:i+len(phrase)], phrase) {
						return true
					}
				}
				return false
			})
		})
	})
}

var pieces = []string{
	"gold", "Gold", "golden", "crown", "crowns", "running", "run", "Haus", "Häuser", "ÉTÉ", "été", "e\u0301te\u0301", "日本語", "हिन्दी", "ſ", "s", "K", "k", "ﬁ", "fi", "x2", "2",
	"'", "''", `"`, `\`, `\'`, ":", "*", "^", "(", ")", "&", "|", "!", "-", "<->", "%", "_", "NEAR", "AND", "OR", "or", "NOT", "title", "{", "}", "+", ".", ",", "🙂", "\u200d", "\u0301", "½", "１", "a\u00a8b", "\ufdfa", "İ", "ß", "ẞ",
}

func randomText(random *rand.Rand, many int) string {
	var text strings.Builder
	for range random.IntN(many) {
		text.WriteString(pieces[random.IntN(len(pieces))])
		text.WriteString([]string{" ", " ", " ", "", "-", "\n", " \"", "\" "}[random.IntN(8)])
	}
	return text.String()
}

func TestAFullTextSearchFindsTheSameInEachStore(t *testing.T) {
	t.Parallel()
	for name, s := range spec.Stores[Tale](t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			random := rand.New(rand.NewPCG(1, 2))
			c := spec.NewClient(t, resource.Config{}, resource.Of[Tale]{ShortName: "Tale", Store: s, Access: spec.Open()})
			var tales []*Tale
			made := func() string {
				tale := &Tale{Title: randomText(random, 12)}
				if tale.Cover.Note = randomText(random, 5); random.IntN(4) > 0 {
					text := randomText(random, 12)
					tale.Text = &text
				}
				body, err := json.Marshal(tale)
				if err != nil {
					t.Fatal(err)
				}
				return strings.Replace(string(body), `"id":0,`, "", 1)
			}
			for range 60 {
				c.Send("POST /api/tales", made()).HasStatus(201)
			}
			for i := range 20 {
				c.Send(fmt.Sprintf("PATCH /api/tales/%d", i*3+1), made()).HasStatus(200)
				c.Send(fmt.Sprintf("DELETE /api/tales/%d", i*3+2), "").HasStatus(204)
			}
			page, err := s.List(t.Context(), store.Query{})
			if err != nil {
				t.Fatal(err)
			}
			tales = page.Items
			for range 400 {
				query := randomText(random, 6)
				if query == "" || len([]rune(query)) > 200 {
					continue
				}
				parsed, err := fulltext.Parse(query)
				if err != nil {
					continue
				}
				want := []int64{}
				for _, tale := range tales {
					if tale.found(parsed) {
						want = append(want, tale.ID)
					}
				}
				var records []Tale
				response := c.Send("GET /api/tales?itemsPerPage=100&q="+url.QueryEscape(query), "")
				if err := json.Unmarshal([]byte(response.Body), &records); err != nil {
					t.Fatalf("%q: %s", query, response.Body)
				}
				got := []int64{}
				for _, record := range records {
					got = append(got, record.ID)
				}
				if !slices.Equal(got, want) {
					t.Errorf("%q finds %v, want %v", query, got, want)
				}
			}
		})
	}
}

func TestAQueryOfAFullTextSearchIsNeverAnErrorButForItsLength(t *testing.T) {
	t.Parallel()
	spec.Alike(t, resource.Of[Tale]{Access: spec.Open()}, func(c spec.Client) {
		c.Send("POST /api/things", `{"title":"The golden crowns of O'Hara","text":"alte Häuser","cover":{"note":"running"}}`).HasStatus(201)
		for query, want := range map[string]int{
			"gold": 0, "golden crown": 1, "crown Haus": 1, `"golden crown"`: 1, `"crown golden"`: 0, "silver OR haus": 1, "-haus": 0, "golden -silver": 1,
			"run": 0, "running": 1, "o'hara": 1, "'": 1, `"`: 1, "the": 1, "a:* | ! & <2>": 0, strings.Repeat("x ", 32): 0,
		} {
			c.Send("GET /api/things?q="+url.QueryEscape(query), "").HasStatus(200)
			if got := strings.Count(c.Send("GET /api/things?q="+url.QueryEscape(query), "").Body, `"id"`); got != want {
				t.Errorf("%q finds %d, want %d", query, got, want)
			}
		}
		response := c.Send("GET /api/things?q="+url.QueryEscape(strings.Repeat("x ", 33)), "")
		if response.HasStatus(400); !strings.Contains(response.Body, "q must have at most 32 words") {
			t.Error(response.Body)
		}
	})
}

func TestLongTextsAreFoundAlikeInEachStore(t *testing.T) {
	t.Parallel()
	for name, s := range spec.Stores[Tale](t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var long strings.Builder
			for i := range 17_000 {
				fmt.Fprintf(&long, "w%d ", i)
			}
			often := strings.Repeat("the ", 300) + "end"
			wide := strings.Repeat(strings.Repeat("é", 120)+" ", 10) + "x"
			ids := map[string]int64{}
			for _, text := range []string{long.String(), often, wide} {
				tale := &Tale{Title: text}
				if err := store.Insert(t.Context(), s, tale); err != nil {
					t.Fatal(err)
				}
				ids[text] = tale.ID
			}
			for value, want := range map[string]int{
				"w15999": 1, "w16000": 0, "w9 w10": 1, "w10 w9": 0, "the": 1, "the: the": 1, "the end": 0, "end": 1, strings.Repeat("é", 100): 1, strings.Repeat("é", 101): 1, strings.Repeat("é", 99): 0,
				"": 0, " - ": 0, strings.Repeat("the ", 100): 1, strings.Repeat("the ", 101): 0, "\x00": 0, "\xff": 0,
			} {
				page, err := s.List(t.Context(), store.Query{Where: []store.Condition{{Fields: []string{"title"}, Operator: store.FullText, Values: []any{value}}}})
				if err != nil || len(page.Items) != want {
					t.Errorf("%.20q finds %d, want %d (%v)", value, len(page.Items), want, err)
				}
			}
		})
	}
}

func TestAFullTextSearchRevealsNothingOfHiddenFields(t *testing.T) {
	t.Parallel()
	seen := access.Rules{Read: access.Public, Create: access.Public, Update: access.Public, Delete: access.Public, Fields: map[string]access.Field{"text": {Read: access.Where("id", int64(1))}}}
	spec.Alike(t, resource.Of[Tale]{Access: seen}, func(c spec.Client) {
		c.Send("POST /api/things", `{"title":"one","text":"geheim","cover":{"note":"a"}}`).HasStatus(201)
		c.Send("POST /api/things", `{"title":"two","text":"geheim","cover":{"note":"a"}}`).HasStatus(201)
		c.Send("POST /api/things", `{"title":"three","text":"offen","cover":{"note":"a"}}`).HasStatus(201)
		for query, want := range map[string]string{
			"geheim": "1", "offen": "", "a": "1 2 3", "a geheim": "1", "two OR geheim": "1 2", "-geheim": "", "-offen": "1", "a -x": "1",
		} {
			var records []Tale
			if err := json.Unmarshal([]byte(c.Send("GET /api/things?q="+url.QueryEscape(query), "").Body), &records); err != nil {
				t.Fatal(err)
			}
			var ids []string
			for _, record := range records {
				ids = append(ids, fmt.Sprint(record.ID))
			}
			if got := strings.Join(ids, " "); got != want {
				t.Errorf("%q finds %q, want %q", query, got, want)
			}
		}
	})
}

// plain is a store that does not search words.
type plain struct{ store.Store[Tale] }

func TestAFullTextSearchNeedsAStoreThatHasIt(t *testing.T) {
	t.Parallel()
	_, err := resource.New(resource.Config{}, resource.Of[Tale]{Store: plain{memory.New[Tale]()}, Access: spec.Open()})
	if err == nil || !strings.Contains(err.Error(), "search=fulltext needs a store that implements store.FullTexter") {
		t.Errorf("New returns %v", err)
	}
	if _, err := resource.New(resource.Config{}, resource.Of[Tale]{Store: plain{memory.New[Tale]()}, Access: spec.Open(), Operations: []operation.Operation{operation.Get{}}}); err != nil {
		t.Errorf("without a list: %v", err)
	}
}

func TestTheTagOfAFullTextSearchIsChecked(t *testing.T) {
	t.Parallel()
	type odd struct {
		ID int64  `json:"id"`
		A  string `json:"a" api:"search=fulltxt"`
		B  string `json:"b" api:"search=fulltext:englsh"`
	}
	type mixed struct {
		ID int64  `json:"id"`
		A  string `json:"a" api:"search=fulltext"`
		B  string `json:"b" api:"search"`
	}
	for declared, want := range map[resource.Declaration]string{
		&resource.Of[odd]{Access: spec.Open()}:   `unknown search "fulltxt" in the api tag; did you mean "fulltext"?`,
		&resource.Of[mixed]{Access: spec.Open()}: "search=fulltext must be in all fields with search, or in none: a and b differ",
	} {
		_, err := resource.New(resource.Config{}, declared)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("New returns %v, want %q", err, want)
		}
	}
	_, err := resource.New(resource.Config{}, resource.Of[odd]{Access: spec.Open()})
	if !strings.Contains(fmt.Sprint(err), `unknown language "englsh" in the api tag; did you mean "english"?`) {
		t.Error(err)
	}
}

func TestDocumentsDescribeAFullTextSearch(t *testing.T) {
	t.Parallel()
	api, err := resource.New(resource.Config{}, resource.Of[Tale]{Access: spec.Open()})
	if err != nil {
		t.Fatal(err)
	}
	document, err := openapi.Document(api, openapi.Config{Title: "Tales", Version: "1"})
	if err != nil {
		t.Fatal(err)
	}
	q := document.Paths.Value("/api/tales").Get.Parameters.GetByInAndName("query", "q")
	want := "Full-text search in `title`, `text` and `cover.note`: words that must all occur, `\"phrases\"`, `OR` between alternatives, and `-` before what must not occur. At most 32 words."
	if q == nil || q.Description != want || q.Schema.Value.Format != "full-text" {
		t.Errorf("the parameter is %+v, want %q", q, want)
	}
}

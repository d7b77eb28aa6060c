package parameters_test

import (
	"math/rand/v2"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"github.com/trove-api/trove/internal/parameters"
)

var link = regexp.MustCompile(`^<([^<>]*)>; rel="([a-z]+)"$`)

// links parses the value of a Link header field.
func links(t *testing.T, text string) map[string]string {
	t.Helper()
	found := map[string]string{}
	if text == "" {
		return found
	}
	for each := range strings.SplitSeq(text, ", ") {
		m := link.FindStringSubmatch(each)
		if m == nil {
			t.Fatalf("no link: %s", each)
		}
		found[m[2]] = m[1]
	}
	return found
}

// linksOf returns the links of a response with count records out of total.
func linksOf(t *testing.T, set *parameters.Set, query string, count, total int, more bool) map[string]string {
	t.Helper()
	values := read(t, set, query)
	text, err := set.Link(nil, values, &parameters.Listing{
		URL: &url.URL{Path: "/hoards", RawQuery: query}, Count: count, Total: values.Total(total, 0), More: more, At: func(i int) any { return sample(int64(i + 1)) },
	})
	if err != nil {
		t.Fatal(err)
	}
	return links(t, string(text))
}

func sample(id int64) *hoard {
	return &hoard{
		ID: id, Name: "Élan, \"&\"", Open: true, Small: -5, At: time.Date(2024, 2, 29, 1, 2, 3, 4000, time.UTC), Score: new(0.1),
		Key: uuid.MustParse("0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b"), Lair: lair{Region: "north", Depth: new(3)},
	}
}

func TestLinksBetweenPages(t *testing.T) {
	t.Parallel()
	set := compile(t, func(o *parameters.Options) { o.Paging.ClientPartial, o.Paging.ClientEnabled = true, true })
	for name, test := range map[string]struct {
		query        string
		count, total int
		more         bool
		want         map[string]string
	}{
		"the only page":         {"", 3, 3, false, map[string]string{"first": "?page=1", "last": "?page=1"}},
		"an empty collection":   {"", 0, 0, false, map[string]string{"first": "?page=1", "last": "?page=1"}},
		"the first of many":     {"", 30, 61, false, map[string]string{"first": "?page=1", "next": "?page=2", "last": "?page=3"}},
		"one in the middle":     {"page=2", 30, 61, false, map[string]string{"first": "?page=1", "prev": "?page=1", "next": "?page=3", "last": "?page=3"}},
		"the last":              {"page=3", 1, 61, false, map[string]string{"first": "?page=1", "prev": "?page=2", "last": "?page=3"}},
		"past the end":          {"page=9", 0, 61, false, map[string]string{"first": "?page=1", "prev": "?page=3", "last": "?page=3"}},
		"more than are counted": {"page=2", 30, 10_001, true, map[string]string{"first": "?page=1", "prev": "?page=1", "next": "?page=3"}},
		"the last of them":      {"page=400", 7, 10_001, false, map[string]string{"first": "?page=1", "prev": "?page=399"}},
		"a partial page":        {"partial=true&page=2", 30, 0, true, map[string]string{"first": "?partial=true&page=1", "prev": "?partial=true&page=1", "next": "?partial=true&page=3"}},
		"the last partial":      {"partial=true", 3, 0, false, map[string]string{"first": "?partial=true&page=1"}},
		"all":                   {"pagination=false", 3, 0, false, map[string]string{}},
		"others are kept":       {"name=a+b%26c&page=1&sort=-name&cursor&itemsPerPage=1", 1, 2, false, nil},
		"others, in order": {"name=a+b%26c&page=1&sort=-name&itemsPerPage=1", 1, 2, false, map[string]string{
			"first": "?name=a+b%26c&sort=-name&itemsPerPage=1&page=1", "next": "?name=a+b%26c&sort=-name&itemsPerPage=1&page=2", "last": "?name=a+b%26c&sort=-name&itemsPerPage=1&page=2",
		}},
		"brackets and quotes": {"name[gte]=%3E%22%3C%0D%0Aa%3A", 3, 3, false, map[string]string{
			"first": "?name%5Bgte%5D=%3E%22%3C%0D%0Aa%3A&page=1", "last": "?name%5Bgte%5D=%3E%22%3C%0D%0Aa%3A&page=1",
		}},
		"raw quotes": {`name=>"<`, 3, 3, false, map[string]string{"first": "?name=%3E%22%3C&page=1", "last": "?name=%3E%22%3C&page=1"}},
	} {
		if test.want == nil {
			continue
		}
		got := linksOf(t, set, test.query, test.count, test.total, test.more)
		for rel, target := range test.want {
			test.want[rel] = "/hoards" + target
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestBehindTheLastNumberACursorLeadsOn(t *testing.T) {
	t.Parallel()
	set := compile(t, func(o *parameters.Options) { o.Paging.MaxPage = 2 })
	got := linksOf(t, set, "page=2&sort=-score", 30, 1000, false)
	if _, ok := got["last"]; ok || !strings.HasPrefix(got["next"], "/hoards?sort=-score&cursor=") {
		t.Errorf("the links are %v", got)
	}
	target, _ := url.Parse(got["next"])
	next := read(t, set, target.RawQuery)
	if diff := cmp.Diff([]any{0.1, int64(30)}, next.Query.After); diff != "" {
		t.Errorf("the cursor leads elsewhere (-want +got):\n%s", diff)
	}
}

func TestLinksBetweenCursors(t *testing.T) {
	t.Parallel()
	via := func(o *parameters.Options) { o.Paging.ViaCursor = true }
	for name, set := range map[string]*parameters.Set{"by choice": compile(t, nil), "as declared": compile(t, via)} {
		begin := linksOf(t, set, "cursor=&name=x", 30, 0, true)
		if begin["prev"] != "" || begin["last"] != "" || begin["next"] == "" {
			t.Errorf("%s: the first page has %v", name, begin)
		}
		wantFirst := map[string]string{"by choice": "/hoards?name=x&cursor=", "as declared": "/hoards?name=x"}[name]
		if begin["first"] != wantFirst {
			t.Errorf("%s: first is %s, want %s", name, begin["first"], wantFirst)
		}
		next, _ := url.Parse(begin["next"])
		second := linksOf(t, set, next.RawQuery, 3, 0, false)
		if second["prev"] == "" || second["next"] != "" {
			t.Errorf("%s: the last page has %v", name, second)
		}
		prev, _ := url.Parse(second["prev"])
		back := read(t, set, prev.RawQuery)
		if !back.Window.Backward || order(back.Query) != "-id" || len(back.Query.After) != 1 {
			t.Errorf("%s: prev asks for %+v", name, back.Query)
		}
		if got := linksOf(t, set, next.RawQuery, 0, 0, false); got["prev"] != "" || got["next"] != "" {
			t.Errorf("%s: an empty page has %v", name, got)
		}
	}
}

// TestLinksContainParametersAsTheyWereSent compares the queries of links with how net/url parses the request's.
func TestLinksContainParametersAsTheyWereSent(t *testing.T) {
	t.Parallel()
	set := compile(t, func(o *parameters.Options) { o.Paging.ViaCursor = true })
	random := rand.New(rand.NewPCG(1, 2))
	pieces := []string{"a", "Z", "é", "<", ">", `"`, "~", "%25", "%2b", "+", "%C3%a9", "%00", "&", "&", "=", "page", "p%61ge=1", "&cursor", "page=", "%3B", "%0D%0A", "%zz", "%", "%e"}
	for range 5_000 {
		var query string
		for range random.IntN(9) {
			query += pieces[random.IntN(len(pieces))]
		}
		want, err := url.ParseQuery(query)
		if err != nil {
			continue // Read rejects it
		}
		text, err := set.Link(nil, read(t, set, ""), &parameters.Listing{URL: &url.URL{Path: "/hoards", RawQuery: query}})
		if err != nil {
			t.Fatal(err)
		}
		target, _ := url.Parse(links(t, string(text))["first"])
		want.Del("page")
		want.Del("cursor")
		if diff := cmp.Diff(want, target.Query()); diff != "" || strings.ContainsAny(target.RawQuery, "<>\"\r\n") {
			t.Errorf("of %q is kept %q (-want +got):\n%s", query, target.RawQuery, diff)
		}
	}
}

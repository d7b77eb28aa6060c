package parameters_test

import (
	"encoding/base64"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/trove-api/trove/internal/parameters"
)

// cursorOf returns the cursor behind a record in an order.
func cursorOf(t testing.TB, set *parameters.Set, query string, at *hoard) string {
	t.Helper()
	values, err := set.Read(t.Context(), query+"&cursor=", http.Header{}, none, nil)
	if err != nil {
		t.Fatal(explain(err))
	}
	text, err := set.Link(nil, values, &parameters.Listing{URL: &url.URL{Path: "/hoards"}, Count: 1, More: true, At: func(int) any { return at }})
	if err != nil {
		t.Fatal(err)
	}
	_, after, _ := strings.Cut(string(text), "</hoards?cursor=")
	_, after, _ = strings.Cut(after, "</hoards?cursor=")
	cursor, _, _ := strings.Cut(after, ">")
	return cursor
}

func TestCursorsKeepPositionsOfEveryKind(t *testing.T) {
	t.Parallel()
	set := compile(t, func(o *parameters.Options) { o.Order = []string{"-plain"} })
	at := sample(7)
	at.Plain, at.Size = "it's", 9
	for query, want := range map[string][]any{
		"":                                      {"it's", int64(7)},
		"sort=name,-open":                       {`Élan, "&"`, true, int64(7)},
		"sort=small,at":                         {int8(-5), at.At, int64(7)},
		"sort=-key":                             {at.Key, int64(7)},
		"sort=score,-alias":                     {0.1, nil, int64(7)},
		"sort=second.depth,lair.depth":          {nil, 3, int64(7)},
		"order[lair.region]=desc&order[at]=asc": {"north", at.At, int64(7)},
	} {
		asked := read(t, set, query)
		back := read(t, set, "cursor="+url.QueryEscape(cursorOf(t, set, query, at)))
		if got, want := order(back.Query), order(asked.Query); got != want {
			t.Errorf("%s comes back in the order %s, want %s", query, got, want)
		}
		if diff := cmp.Diff(want, back.Query.After); diff != "" {
			t.Errorf("%s comes back elsewhere (-want +got):\n%s", query, diff)
		}
	}
}

func TestACursorHasItsOwnOrder(t *testing.T) {
	t.Parallel()
	set := compile(t, nil)
	cursor := cursorOf(t, set, "sort=-name", sample(7))
	if got := order(read(t, set, "sort=open&cursor="+cursor+"&order[at]=desc").Query); got != "-name -id" {
		t.Errorf("beside another order a cursor's is %s", got)
	}
}

func TestATamperedCursorIsRejected(t *testing.T) {
	t.Parallel()
	set := compile(t, nil)
	cursor := cursorOf(t, set, "sort=-name", sample(7))
	raw, err := base64.RawURLEncoding.DecodeString(cursor)
	if err != nil {
		t.Fatal(err)
	}
	for i := range raw {
		raw[i] ^= 1
		refusesCursor(t, set, base64.RawURLEncoding.EncodeToString(raw))
		raw[i] ^= 1
		refusesCursor(t, set, base64.RawURLEncoding.EncodeToString(raw[:i]))
	}
	refusesCursor(t, set, cursor+"A")
	refusesCursor(t, set, cursor+"=")
	refusesCursor(t, set, " "+cursor)
}

func refusesCursor(t *testing.T, set *parameters.Set, cursor string) {
	t.Helper()
	if cursor == "" {
		return
	}
	_, err := set.Read(t.Context(), "cursor="+url.QueryEscape(cursor), http.Header{}, none, nil)
	if !strings.HasPrefix(explain(err), "cursor is not a valid cursor for this collection") {
		t.Errorf("%s is taken: %v", cursor, explain(err))
	}
}

func TestCursorsFitTheirCollectionAlone(t *testing.T) {
	t.Parallel()
	cursor := cursorOf(t, compile(t, nil), "", sample(7))
	again := compile(t, nil) // another instance, or the same after a restart
	if diff := cmp.Diff([]any{int64(7)}, read(t, again, "cursor="+cursor).Query.After); diff != "" {
		t.Errorf("another instance reads it otherwise (-want +got):\n%s", diff)
	}
	s := record(t)
	refusesCursor(t, compile(t, func(o *parameters.Options) { o.Key, o.Scope = []byte("other"), "/hoards" }), cursor)
	refusesCursor(t, compile(t, func(o *parameters.Options) { o.Key, o.Scope = []byte("key"), "/others" }), cursor)
	s.Fields[1].Type.Go = s.Fields[0].Type.Go // the name is an integer now
	refusesCursor(t, compile(t, func(o *parameters.Options) { o.Record = s }), cursor)
}

func FuzzCursor(f *testing.F) {
	set := compile(f, nil)
	f.Add("", "x", int64(1), "a", 0.5)
	f.Add(cursorOf(f, set, "sort=-name", sample(3)), "sort=name,-score", int64(-1), "é\"", -1e300)
	f.Fuzz(func(t *testing.T, given, _ string, id int64, name string, score float64) {
		if _, err := set.Read(t.Context(), "cursor="+url.QueryEscape(given), http.Header{}, none, nil); err != nil && explain(err) == "" {
			t.Error("a refusal without a text")
		}
		at := &hoard{ID: id, Name: strings.ToValidUTF8(strings.ReplaceAll(name, "\x00", ""), "?"), Score: &score, At: time.Unix(id%1e9, 0).UTC()}
		if score != score || score > 1e308 || score < -1e308 {
			at.Score = nil
		}
		back := read(t, set, "cursor="+url.QueryEscape(cursorOf(t, set, "sort=name,-score,at", at)))
		want := []any{at.Name, nil, at.At, id}
		if at.Score != nil {
			want[1] = *at.Score
		}
		if diff := cmp.Diff(want, back.Query.After); diff != "" {
			t.Errorf("comes back elsewhere (-want +got):\n%s", diff)
		}
	})
}

package bodies_test

import (
	"cmp"
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
)

// Coin has a field for the time of its creation.
type Coin struct {
	Name    string    `json:"name" api:"id"`
	Made    time.Time `json:"made" api:"created"`
	Changed time.Time `json:"changed" api:"modified"`
}

func TestTheTimeOfCreationIsSetOnce(t *testing.T) {
	t.Parallel()
	old := time.Date(2020, 1, 2, 3, 4, 5, 0, time.UTC)
	for _, replaces := range []bool{false, true} {
		c := spec.NewClient(t, resource.Config{}, resource.Of[Coin]{
			Store:           memory.New(Coin{Name: "old", Made: old}),
			Operations:      []operation.Operation{operation.Get{}, operation.Post{}, operation.Put{AllowCreate: true}, operation.Patch{}},
			ExtraProperties: map[string]any{"standard_put": replaces},
		})
		began := time.Now().Truncate(time.Millisecond)
		for request, body := range map[string]string{"POST /api/coins": `{"name":"new"}`, "PUT /api/coins/put": `{"name":"put"}`} {
			made := madeIn(t, c.Send(request, body).HasStatus(201))
			if made.Before(began) || made.After(time.Now()) {
				t.Errorf("%s: made at %s, want about %s", request, made, began)
			}
		}
		first := madeIn(t, c.Send("GET /api/coins/new", "").HasStatus(200))
		for _, request := range []string{"PUT /api/coins/new", "PATCH /api/coins/new"} {
			a := c.Send(request, `{"name":"new"}`).HasStatus(200)
			if made := madeIn(t, a); !made.Equal(first) {
				t.Errorf("%s: made at %s, want %s", request, made, first)
			}
		}
		if made := madeIn(t, c.Send("PATCH /api/coins/old", `{}`).HasStatus(200)); !made.Equal(old) {
			t.Errorf("a record that the store began with is made at %s, want %s", made, old)
		}
	}
}

func TestATimeOfCreationThatAHookHasSetStays(t *testing.T) {
	t.Parallel()
	old := time.Date(2020, 1, 2, 3, 4, 5, 0, time.UTC)
	c := spec.NewClient(t, resource.Config{}, resource.Of[Coin]{
		Prepare: func(_ context.Context, _ *operation.Request, coin *Coin) error {
			coin.Made = old
			return nil
		},
	})
	if made := madeIn(t, c.Send("POST /api/coins", `{"name":"a"}`).HasStatus(201)); !made.Equal(old) {
		t.Errorf("made at %s, want %s", made, old)
	}
}

func TestNoClientSetsTheTimeOfCreation(t *testing.T) {
	t.Parallel()
	c := spec.NewClient(t, resource.Config{}, resource.Of[Coin]{})
	a := c.Send("POST /api/coins", `{"name":"a","made":"2020-01-02T03:04:05Z"}`).HasStatus(201)
	if made := madeIn(t, a); made.Year() == 2020 {
		t.Errorf("made at %s, as the client says", made)
	}
}

// madeIn returns the creation time of the record in a response.
func madeIn(t *testing.T, a spec.Response) time.Time {
	t.Helper()
	var members map[string]any
	if err := json.Unmarshal([]byte(a.Body), &members); err != nil {
		t.Fatal(err)
	}
	text, _ := members["made"].(string)
	at, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		t.Fatalf("%s: %v", a.Body, err)
	}
	return at
}

// Deed is the resource for tests of create-only fields.
type Deed struct {
	ID     int64  `json:"id" api:"id"`
	Serial string `json:"serial" api:"createonly" validate:"notblank"`
	Seal   string `json:"seal" api:"createonly,writeonly"`
	Text   string `json:"text"`
}

func TestOnlyPostSetsCreateOnlyFields(t *testing.T) {
	t.Parallel()
	spec.InEachStore(t, func(t *testing.T, deeds store.Store[Deed]) {
		t.Helper()
		c := spec.NewClient(t, resource.Config{}, resource.Of[Deed]{Store: deeds, Operations: append(operation.Standard(),
			operation.Put{Name: "replace", URITemplate: "/deeds/{id}/whole", ExtraProperties: map[string]any{"standard_put": true}})})
		const refused = `{"type":"validation_error","title":"There was a validation error","errors":{"serial":"serial cannot be changed after creation"}}`
		c.Send("POST /api/deeds", `{"text":"t"}`).HasStatus(400).Mentions("serial")
		c.Send("POST /api/deeds", `{"serial":"a","seal":"s","text":"t"}`).Is(201, `{"id":1,"serial":"a","text":"t"}`)
		c.Send("PATCH /api/deeds/1", `{"serial":"b"}`).Is(400, refused)
		c.Send("PATCH /api/deeds/1", `{"serial":null}`).HasStatus(400)
		c.Send("PATCH /api/deeds/1", `{"serial":"a","text":"u"}`).Is(200, `{"id":1,"serial":"a","text":"u"}`)
		c.Send("PUT /api/deeds/1", `{"serial":"b"}`).Is(400, refused)
		c.Send("PUT /api/deeds/1/whole", `{"serial":"b","text":"v"}`).Is(400, refused)
		c.Send("PUT /api/deeds/1/whole", `{"text":"v"}`).Is(200, `{"id":1,"serial":"a","text":"v"}`)
		c.Send("PUT /api/deeds/1/whole", `{"serial":"a"}`).Is(200, `{"id":1,"serial":"a","text":""}`)
		for _, guess := range []string{"s", "x"} { // a caller who cannot see it must not find it by trying
			c.Send("PATCH /api/deeds/1", `{"seal":"`+guess+`"}`).HasStatus(400).Mentions("seal cannot be changed after creation")
		}
		deed, err := deeds.Get(t.Context(), int64(1))
		if err != nil || deed.Seal != "s" {
			t.Errorf("the record is %+v, %v", deed, err)
		}
	})
}

func TestAnInputDoesNotChangeCreateOnlyFields(t *testing.T) {
	t.Parallel()
	type Entry struct {
		No string `json:"no"`
	}
	in := operation.InputOf(func(d *Deed) Entry { return Entry{d.Serial} },
		func(_ context.Context, in Entry, d *Deed) error { d.Serial = in.No; return nil })
	c := spec.NewClient(t, resource.Config{}, resource.Of[Deed]{Input: in})
	c.Send("POST /api/deeds", `{"no":"a"}`).Is(201, `{"id":1,"serial":"a","text":""}`)
	c.Send("PATCH /api/deeds/1", `{}`).HasStatus(200)
	c.Send("PATCH /api/deeds/1", `{"no":"b"}`).HasStatus(400).Mentions("serial cannot be changed")
}

func TestHiddenCreateOnlyFieldsCannotBeGuessed(t *testing.T) {
	t.Parallel()
	c := spec.NewClient(t, resource.Config{}, resource.Of[Deed]{Access: spec.OpenBut(map[string]access.Field{"serial": {Read: access.Authenticated}})})
	c.Send("POST /api/deeds", `{"serial":"a"}`).Is(201, `{"id":1,"text":""}`)
	right, wrong := c.Send("PATCH /api/deeds/1", `{"serial":"a"}`), c.Send("PATCH /api/deeds/1", `{"serial":"b"}`)
	if right.Status != 400 || right.Body != wrong.Body {
		t.Errorf("a right guess returns %d %s, a wrong one %s", right.Status, right.Body, wrong.Body)
	}
}

func TestMistakesInCreateOnly(t *testing.T) {
	t.Parallel()
	type both struct {
		ID int64  `json:"id"`
		A  string `json:"a" api:"readonly,createonly"`
	}
	if _, err := resource.New(resource.Config{}, resource.Of[both]{ShortName: "Both"}); err == nil || !strings.Contains(err.Error(), "cannot be both readonly and createonly") {
		t.Errorf("the error is %v", err)
	}
	type inner struct {
		A string `json:"a" api:"createonly"`
	}
	type outer struct {
		ID    int64 `json:"id"`
		Inner inner `json:"inner"`
	}
	if _, err := resource.New(resource.Config{}, resource.Of[outer]{ShortName: "Outer"}); err == nil || !strings.Contains(err.Error(), "outer.Inner.A: the word createonly is only allowed on fields of the record itself") {
		t.Errorf("the error is %v", err)
	}
}

type stamped struct {
	Name   string `json:"name" api:"id"`
	Author string `json:"author" api:"readonly"`
	Owner  string `json:"owner"`
	Note   string `json:"note"`
}

type writer string

func TestNewRecordsAreStampedByWhoCreatesThem(t *testing.T) {
	t.Parallel()
	api, err := resource.New(resource.Config{Middleware: []func(http.Handler) http.Handler{func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			var principal any
			switch name := r.Header.Get("X-Writer"); {
			case strings.HasPrefix(name, "other:"):
				principal = name
			case name != "":
				principal = writer(name)
			}
			next.ServeHTTP(w, r.WithContext(operation.WithPrincipal(r.Context(), principal)))
		})
	}}}, resource.Of[stamped]{
		ShortName:  "Note",
		Operations: []operation.Operation{operation.Post{}, operation.Put{AllowCreate: true}, operation.Patch{}, operation.Get{}},
		Stamp: operation.Stamp(func(w writer, s *stamped) {
			s.Author, s.Owner = string(w), cmp.Or(s.Owner, string(w))
		}),
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct{ request, body, as, want string }{
		{"POST /api/notes", `{"name":"a"}`, "ann", `"author":"ann","owner":"ann"`},
		{"POST /api/notes", `{"name":"b","owner":"bob"}`, "ann", `"author":"ann","owner":"bob"`},
		{"PATCH /api/notes/a", `{"note":"x"}`, "bob", `"author":"ann","owner":"ann"`},
		{"PATCH /api/notes/a", `{"owner":""}`, "bob", `"author":"ann","owner":""`},
		{"PUT /api/notes/a", `{"note":"y"}`, "bob", `"author":"ann","owner":""`},
		{"PUT /api/notes/c", `{"note":"y"}`, "bob", `"author":"bob","owner":"bob"`},
		{"POST /api/notes", `{"name":"d"}`, "", `"author":"","owner":""`},
		{"POST /api/notes", `{"name":"e"}`, "other:eve", `"author":"","owner":""`},
	} {
		method, path, _ := strings.Cut(step.request, " ")
		r := httptest.NewRequestWithContext(t.Context(), method, path, strings.NewReader(step.body))
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("X-Writer", step.as)
		w := httptest.NewRecorder()
		api.ServeHTTP(w, r)
		if w.Code >= 300 || !strings.Contains(w.Body.String(), step.want) {
			t.Errorf("%s %s as %q returns %d %s, want %s", step.request, step.body, step.as, w.Code, w.Body, step.want)
		}
	}
}

func TestAPrincipalIsOfItsType(t *testing.T) {
	t.Parallel()
	ctx := operation.WithPrincipal(t.Context(), writer("ann"))
	if w, ok := operation.PrincipalAs[writer](ctx); !ok || w != "ann" {
		t.Errorf("the writer is %q, %v", w, ok)
	}
	if s, ok := operation.PrincipalAs[string](ctx); ok || s != "" {
		t.Errorf("the string is %q, %v", s, ok)
	}
	if w, ok := operation.PrincipalAs[*writer](t.Context()); ok || w != nil {
		t.Errorf("nobody is %v, %v", w, ok)
	}
}

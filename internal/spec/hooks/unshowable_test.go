package hooks_test

import (
	"context"
	"fmt"
	"log/slog"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
)

// Bomb has fields that JSON may not be able to represent.
type Bomb struct {
	ID     int64     `json:"id"`
	Name   string    `json:"name" api:"sort"`
	At     time.Time `json:"at" api:"readonly,sort"`
	Weight float64   `json:"weight" api:"readonly,sort"`
	Fuse   spec.Fuse `json:"fuse"`
}

// farAway cannot be written: RFC 3339 has years of four digits.
var farAway = time.Date(12000, 1, 1, 0, 0, 0, 7, time.UTC)

// unshowable lists records that no response can represent, by what is wrong with them.
func unshowable() map[string]Bomb {
	return map[string]Bomb{
		"a time behind the year 9999":    {At: farAway},
		"a number that is not finite":    {Weight: math.Inf(1)},
		"text that is not UTF-8":         {Name: "\xff"},
		"a type that fails":              {Fuse: "wet"},
		"a type that panics":             {Fuse: "burning"},
		"two members of which none goes": {At: farAway, Name: "\xff"},
	}
}

// spoilt is a store into which another program wrote a record that no response can represent.
type spoilt struct {
	store.Store[Bomb]

	id   int64
	bomb Bomb
}

func (s spoilt) spoil(b *Bomb) *Bomb {
	if b == nil || b.ID != s.id {
		return b
	}
	bad := s.bomb
	bad.ID = s.id
	return &bad
}

func (s spoilt) Get(ctx context.Context, id any) (*Bomb, error) {
	b, err := s.Store.Get(ctx, id)
	return s.spoil(b), err
}

func (s spoilt) List(ctx context.Context, query store.Query) (store.Page[Bomb], error) {
	page, err := s.Store.List(ctx, query)
	items := make([]*Bomb, len(page.Items))
	for i, b := range page.Items {
		items[i] = s.spoil(b)
	}
	page.Items = items
	return page, err
}

func logged(log *spec.Journal) resource.Config {
	return resource.Config{Logger: slog.New(slog.NewJSONHandler(log, nil))}
}

func TestNothingIsSavedIfTheResponseCannotBeEncoded(t *testing.T) {
	t.Parallel()
	spoil := func(_ context.Context, _ *operation.Request, b *Bomb) error {
		if b.Name == "late" {
			b.At = farAway
		}
		return nil
	}
	quiet := func(_ context.Context, b *Bomb, _ struct{}) (struct{}, error) {
		b.At = farAway
		return struct{}{}, nil
	}
	label := func(_ context.Context, b *Bomb, _ struct{}) (string, error) {
		b.Name = "changed"
		return "\xff", nil
	}
	process := func(ctx context.Context, _ *operation.Request, b *Bomb, save operation.Save[Bomb]) error {
		at := b.At
		b.At = farAway
		err := save(ctx, b)
		b.At = at // the response differs from what is saved
		return err
	}
	processed := operation.Process(process)
	for rule, request := range map[string][2]string{
		"a Post":                         {"POST /api/bombs", `{"name":"late"}`},
		"a Post with a key":              {"POST /api/bombs", `{"name":"late"}`},
		"a Put":                          {"PUT /api/bombs/1", `{"name":"late"}`},
		"a Patch":                        {"PATCH /api/bombs/1", `{"name":"late"}`},
		"a Post that answers nothing":    {"POST /api/quiet", `{"name":"late"}`},
		"a handler that answers nothing": {"POST /api/bombs/1/quiet", ""},
		"a handler with an answer that does not go":  {"POST /api/bombs/1/label", ""},
		"a Processor that changes it behind a save":  {"POST /api/processed", `{"name":"a"}`},
		"a Processor that changes it behind a patch": {"PATCH /api/processed/1", `{"name":"a"}`},
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			log := &spec.Journal{}
			bombs := memory.New(Bomb{Name: "first"})
			c := spec.NewClient(t, logged(log), resource.Of[Bomb]{
				Store: bombs, Prepare: spoil, Idempotency: time.Hour,
				Operations: append(
					operation.Standard(),
					operation.Post{Name: "quietly", URITemplate: "/quiet", Status: 204},
					operation.Post{Name: "quiet", URITemplate: "/bombs/{id}/quiet", Handler: operation.Handle(quiet)},
					operation.Post{Name: "label", URITemplate: "/bombs/{id}/label", Handler: operation.Handle(label)},
					operation.Post{Name: "processed", URITemplate: "/processed", Processor: processed},
					operation.Patch{Name: "process", URITemplate: "/processed/{id}", Processor: processed},
				),
			})
			var header []string
			if strings.Contains(rule, "key") {
				header = []string{spec.KeyField, "k"}
			}
			c.Send(request[0], request[1], header...).IsProblem(500).Has("ETag", "")
			if n := strings.Count(log.String(), "\n"); n != 1 {
				t.Errorf("there are %d entries in the log: %s", n, log)
			}
			c.Send("GET /api/bombs", "").Is(200, `[{"id":1,"name":"first","at":"0001-01-01T00:00:00Z","weight":0,"fuse":""}]`)
		})
	}
}

func TestABrokenRecordBreaksNothingButItself(t *testing.T) {
	t.Parallel()
	for rule, record := range unshowable() {
		for place := range 3 {
			t.Run(fmt.Sprintf("%s, as number %d of 3", rule, place+1), func(t *testing.T) {
				t.Parallel()
				log := &spec.Journal{}
				records := []Bomb{{Name: "a"}, {Name: "b"}, {Name: "c"}}
				kept := spoilt{memory.New(records...), int64(place + 1), record}
				c := spec.NewClient(t, logged(log), resource.Of[Bomb]{Store: kept})
				var lines, left []string
				for i := range records {
					item := c.Send(fmt.Sprintf("GET /api/bombs/%d", i+1), "")
					if i == place {
						item.IsProblem(500)
						continue
					}
					lines = append(lines, item.HasStatus(200).Body)
					left = append(left, fmt.Sprint(i+1))
				}
				page := c.Send("GET /api/bombs", "").Is(200, "["+strings.Join(lines, ",")+"]").Has("X-Total-Count", "3")
				c.Send("GET /api/bombs", "", "If-None-Match", page.Header.Get("ETag")).Is(304, "")
				stream := c.Send("GET /api/bombs.ndjson", "").HasStatus(200)
				if want := strings.Join(lines, "\n") + "\n"; stream.Body != want {
					t.Errorf("the stream is %q, want %q (%v)", stream.Body, want, left)
				}
				incidents := strings.Count(log.String(), `"incident":"`)
				if incidents != 4 || strings.Count(log.String(), fmt.Sprintf(`"record":"%d"`, place+1)) != 3 && !strings.Contains(rule, "panic") {
					t.Errorf("the log is %s", log)
				}
				c.Send(fmt.Sprintf("DELETE /api/bombs/%d", place+1), "").Is(204, "")
			})
		}
	}
}

func TestPagesGoOnBehindABrokenRecord(t *testing.T) {
	t.Parallel()
	for rule, record := range unshowable() {
		if !record.At.IsZero() || record.Weight != 0 {
			continue // no store keeps it
		}
		for _, order := range []string{"", "sort=at&", "sort=-at&", "sort=weight&", "sort=-weight&", "sort=name&", "sort=-name,at&"} {
			t.Run(rule+", "+order, func(t *testing.T) {
				t.Parallel()
				records := []Bomb{{Name: "a"}, {Name: "b", At: farAway.AddDate(-5000, 0, 0)}, record, record, {Name: "c", Weight: 1}, record}
				c := spec.NewClient(t, logged(&spec.Journal{}), resource.Of[Bomb]{Store: memory.New(records...)})
				for size := 1; size <= 3; size++ {
					for _, direction := range []string{"next", "prev"} {
						whole := c.Send("GET /api/bombs?"+strings.TrimSuffix(order, "&"), "").HasStatus(200)
						if got := walk(c, fmt.Sprintf("/api/bombs?%sitemsPerPage=%d&cursor=", order, size), direction, len(records)); got != strings.Count(whole.Body, `"id"`) {
							t.Errorf("pages of %d lead %s to %d records, want %s", size, direction, got, whole.Body)
						}
					}
				}
			})
		}
	}
}

// walk follows links to the end, and back if that is the direction, and returns how many
// records there are on its way.
func walk(c spec.Client, target, direction string, most int) (seen int) {
	c.T.Helper()
	turned := direction == "next"
	for range 3 * most {
		page := c.Send("GET "+target, "").HasStatus(200)
		rel := "next"
		if turned {
			seen += strings.Count(page.Body, `"id"`)
			rel = direction
		}
		next := pageAt(page, rel)
		if next == "" && !turned {
			turned, seen = true, strings.Count(page.Body, `"id"`)
			next = pageAt(page, direction)
		}
		if next == "" {
			return seen
		}
		target = next
	}
	c.T.Fatalf("the pages do not end")
	return 0
}

func pageAt(page spec.Response, rel string) string {
	for link := range strings.SplitSeq(page.Header.Get("Link"), ", ") {
		if target, is := strings.CutSuffix(link, `>; rel="`+rel+`"`); is {
			return strings.TrimPrefix(target, "<")
		}
	}
	return ""
}

func TestAStreamGoesOnBehindABatchThatEndsWithABrokenRecord(t *testing.T) {
	t.Parallel()
	bombs := make([]Bomb, 600)
	for i := range bombs {
		if i%2 == 1 || i >= 512 {
			bombs[i].Fuse = "wet"
		}
	}
	log := &spec.Journal{}
	c := spec.NewClient(t, logged(log), resource.Of[Bomb]{Store: memory.New(bombs...)})
	if n := strings.Count(c.Send("GET /api/bombs.ndjson", "").HasStatus(200).Body, "\n"); n != 256 {
		t.Errorf("the stream has %d records, want 256", n)
	}
	if n := strings.Count(log.String(), `"msg":"record left out"`); n != 344 {
		t.Errorf("%d records are logged, want 344", n)
	}
}

// gaps is a store whose lists have nothing in a place.
type gaps struct{ *memory.Store[Bomb] }

func (g gaps) List(ctx context.Context, query store.Query) (store.Page[Bomb], error) {
	page, err := g.Store.List(ctx, query)
	page.Items = append(page.Items, nil)
	return page, err
}

func (gaps) Get(context.Context, any) (*Bomb, error) { return nil, nil } //nolint:nilnil // the mistake

func TestAStoreThatGivesNothingIsAFault(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ request, body, cause string }{
		{"GET /api/bombs/1", "", "neither a record nor an error"},
		{"GET /api/bombs", "", "a nil record"},
		{"GET /api/bombs.ndjson", "", "a nil record"},
		{"PATCH /api/bombs/1", `{"name":"x"}`, "neither a record nor an error"},
		{"PUT /api/bombs/1", `{"name":"x"}`, "neither a record nor an error"},
		{"POST /api/bombs/1/touch", "", "neither a record nor an error"},
		{"GET /api/bombs/1/nothing", "", "neither a record nor an error"},
		{"GET /api/nothing", "", "a nil pointer without an error"},
		{"POST /api/nothing", "", "a nil pointer without an error"},
	} {
		t.Run(test.request, func(t *testing.T) {
			t.Parallel()
			log := &spec.Journal{}
			touch := operation.Handle(func(context.Context, *Bomb, struct{}) (string, error) { return "", nil })
			nothing := operation.Handle(func(context.Context, *Bomb, struct{}) (*Bomb, error) { return nil, nil }) //nolint:nilnil // the mistake
			c := spec.NewClient(t, logged(log), resource.Of[Bomb]{
				Store: hollow{gaps{memory.New(Bomb{Name: "a"})}},
				Operations: append(
					operation.Standard(),
					operation.Post{Name: "touch", URITemplate: "/bombs/{id}/touch", Handler: touch},
					operation.Get{Name: "look", URITemplate: "/bombs/{id}/nothing", Handler: nothing},
					operation.Get{Name: "find", URITemplate: "/nothing", Handler: nothing},
					operation.Post{Name: "make", URITemplate: "/nothing", Handler: nothing},
				),
			})
			c.Send(test.request, test.body).Is(500, `{"type":"about:blank","title":"Internal Server Error","status":500}`)
			if !strings.Contains(log.String(), test.cause) {
				t.Errorf("the log is %s", log)
			}
		})
	}
}

// hollow is a store whose transactions find nothing and say nothing.
type hollow struct{ gaps }

type hollowTx struct{ store.Tx[Bomb] }

func (hollowTx) Get(context.Context, any) (*Bomb, error) { return nil, nil } //nolint:nilnil // the mistake

func (h hollow) Transact(ctx context.Context, fn func(context.Context, store.Tx[Bomb]) error) error {
	return h.gaps.Transact(ctx, func(ctx context.Context, tx store.Tx[Bomb]) error { return fn(ctx, hollowTx{tx}) })
}

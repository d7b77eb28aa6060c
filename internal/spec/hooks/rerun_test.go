package hooks_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
)

// rerun is a store that runs each transaction twice, as one of a serializable database is
// after a conflict. What happens in between is the other transaction's.
type rerun[T any] struct {
	*memory.Store[T]
	between func()
}

var errAgain = errors.New("once more")

func (r *rerun[T]) Transact(ctx context.Context, fn func(context.Context, store.Tx[T]) error) error {
	between := r.between
	if between == nil {
		return r.Store.Transact(ctx, fn)
	}
	err := r.Store.Transact(ctx, func(ctx context.Context, tx store.Tx[T]) error { return errors.Join(fn(ctx, tx), errAgain) })
	if !errors.Is(err, errAgain) {
		return err
	}
	r.between = nil
	between()
	err = r.Store.Transact(ctx, fn)
	r.between = between
	return err
}

// untimed is what differs from one run of a test to the next.
var untimed = regexp.MustCompile(`,"changedAt":"[^"]*"|"instance":"[^"]*"`)

func TestAReplayAfterARerunHasNothingOfTheFirstRun(t *testing.T) {
	t.Parallel()
	keyless := make([]spec.Mug, 8)
	for i := range keyless {
		keyless[i].Name = strconv.Itoa(i)
	}
	mugStore := &rerun[spec.Mug]{Store: memory.New(keyless...)}
	declared := spec.Mugs()
	declared.Store = mugStore
	c := spec.NewClient(t, resource.Config{}, declared)
	var first spec.Response
	mugStore.between = func() {
		first = c.Send("POST /api/mugs", `{"name":"a"}`, spec.KeyField, "k").HasStatus(201)
	}
	again := c.Send("POST /api/mugs", `{"name":"a"}`, spec.KeyField, "k").Is(201, first.Body).Has("Idempotent-Replayed", "true")
	again.Has("Content-Length", strconv.Itoa(len(first.Body)))
	for _, field := range []string{"Location", "ETag", "Content-Type", "Vary", "Last-Modified"} {
		again.Has(field, first.Header.Get(field))
	}
	if !strings.Contains(first.Body, `"id":10`) {
		t.Errorf("the first answer is %s, and as long as the one that was given up", first.Body)
	}
}

func TestAResponseAfterARerunIsThatOfOneRun(t *testing.T) {
	t.Parallel()
	note := func(_ context.Context, s *spec.Scroll, in struct {
		Title string `json:"title"`
	},
	) (spec.Scroll, error) {
		s.Title = in.Title
		return *s, nil
	}
	prepare := func(context.Context, *operation.Request, *spec.Scroll) error { return nil }
	process := operation.Process(func(ctx context.Context, _ *operation.Request, s *spec.Scroll, save operation.Save[spec.Scroll]) error {
		return save(ctx, s)
	})
	for _, hooked := range []bool{false, true} {
		answers := map[string][]spec.Response{}
		for _, twice := range []bool{false, true} {
			scrolls := &rerun[spec.Scroll]{Store: memory.New(spec.Scroll{Title: "a"})}
			declared := resource.Of[spec.Scroll]{Store: scrolls, Idempotency: time.Hour, Operations: append(
				operation.Standard(), operation.Post{Name: "note", URITemplate: "/scrolls/{id}/note", Handler: operation.Handle(note)},
			)}
			if hooked {
				declared.Prepare, declared.Processor = prepare, process
			}
			c := spec.NewClient(t, resource.Config{}, declared)
			if twice {
				scrolls.between = func() {}
			}
			for _, request := range [][]string{
				{"PATCH /api/scrolls/1", `{"title":"b","lines":["x"]}`},
				{"PUT /api/scrolls/1", `{"title":"c"}`},
				{"PUT /api/scrolls/1", `{"title":""}`},
				{"PATCH /api/scrolls/1", `{"title":"c"}`, "If-Match", `"none"`},
				{"POST /api/scrolls/1/note", `{"title":"d"}`},
				{"POST /api/scrolls/1/note", `{"title":"e"}`, spec.KeyField, "k"},
				{"POST /api/scrolls/1/note", `{"title":"e"}`, spec.KeyField, "k"},
				{"GET /api/scrolls/1", ""},
				{"DELETE /api/scrolls/1", ""},
			} {
				a := c.Send(request[0], request[1], request[2:]...)
				if length := a.Header.Get("Content-Length"); a.Body != "" && length != strconv.Itoa(len(a.Body)) {
					t.Errorf("%s: Content-Length is %s of %d", request[0], length, len(a.Body))
				}
				a.Body = untimed.ReplaceAllString(a.Body, "")
				for _, field := range []string{"Etag", "Last-Modified", "Content-Length"} { // which depend on the time
					if a.Header.Get(field) != "" {
						a.Header.Set(field, "some")
					}
				}
				name := strings.Join(request, " ")
				answers[name] = append(answers[name], a)
			}
		}
		for request, all := range answers {
			once, twice := all[:len(all)/2], all[len(all)/2:]
			for i := range once {
				if once[i].Status != twice[i].Status || once[i].Body != twice[i].Body || !maps.EqualFunc(once[i].Header, twice[i].Header, slices.Equal) {
					t.Errorf("%s: after one run %d %v %s, after two %d %v %s", request, once[i].Status, once[i].Header, once[i].Body, twice[i].Status, twice[i].Header, twice[i].Body)
				}
			}
		}
	}
}

func TestHooksSeeTheRequestOfTheirOwnRun(t *testing.T) {
	t.Parallel()
	type limit struct {
		Most int `json:"most" default:"5"`
	}
	var seen []string
	look := func(req *operation.Request) {
		previous, _ := req.Previous.(*spec.Programmer)
		seen = append(seen, fmt.Sprintf("%s %s %v %v %d", req.Kind, req.Name, req.Variables(), previous != nil, req.Parameters.(*limit).Most))
		req.Variables()["nickname"], req.Name, req.Principal = "changed", "changed", "changed"
		req.Parameters.(*limit).Most++
	}
	for _, test := range []struct {
		request string
		gone    bool // when the steps run again
		want    string
	}{
		{"PUT /api/programmers/ada", true, "Put  map[nickname:ada] %v 5"},
		{"PUT /api/programmers/ada", false, "Put  map[nickname:ada] %v 5"},
		{"POST /api/programmers/ada/act", false, "Post act map[nickname:ada] %v 5"},
	} {
		seen = nil
		people := &rerun[spec.Programmer]{Store: memory.New(spec.Programmer{Nickname: "ada"})}
		act := func(ctx context.Context, p *spec.Programmer, _ struct{}) (struct{}, error) {
			req, _ := operation.RequestFrom(ctx)
			look(req)
			p.TagLine += "!"
			return struct{}{}, nil
		}
		c := spec.NewClient(t, resource.Config{}, resource.Of[spec.Programmer]{
			Store: people,
			Prepare: func(_ context.Context, req *operation.Request, _ *spec.Programmer) error {
				look(req)
				return nil
			},
			Operations: []operation.Operation{
				operation.Put{AllowCreate: true, Parameters: operation.Parameters[limit]{}},
				operation.Delete{},
				operation.Post{Name: "act", URITemplate: "/programmers/{nickname}/act", Handler: operation.Handle(act), Parameters: operation.Parameters[limit]{}},
			},
		})
		people.between = func() {
			if test.gone {
				c.Send("DELETE /api/programmers/ada", "").HasStatus(204)
			}
		}
		body, status := "", 204
		if !strings.HasPrefix(test.request, "POST") {
			body, status = `{"tagLine":"x"}`, 200
		}
		if test.gone {
			status = 201
		}
		c.Send(test.request, body).HasStatus(status)
		want := []string{fmt.Sprintf(test.want, true), fmt.Sprintf(test.want, !test.gone)}
		if !slices.Equal(seen, want) {
			t.Errorf("%s: the runs saw %q, want %q", test.request, seen, want)
		}
	}
}

// careless are stores that end a transaction well though its function did not.
type careless struct {
	*memory.Store[spec.Goblet]
	runs bool
}

func (s careless) Transact(ctx context.Context, fn func(context.Context, store.Tx[spec.Goblet]) error) error {
	if s.runs {
		_ = s.Store.Transact(ctx, fn)
	}
	return nil
}

func TestAStoreThatDoesNotRunATransactionIsAFault(t *testing.T) {
	t.Parallel()
	for _, runs := range []bool{false, true} {
		log := &spec.Journal{}
		c := spec.NewClient(t, logged(log), resource.Of[spec.Goblet]{Store: careless{memory.New(spec.Goblet{Title: "a"}), runs}})
		for request, body := range map[string]string{"POST /api/goblets": `{"title":""}`, "PATCH /api/goblets/1": `{"title":""}`, "DELETE /api/goblets/9": ""} {
			c.Send(request, body).IsProblem(500)
		}
		if n := strings.Count(log.String(), "Transact returned nil"); n != 3 {
			t.Errorf("the log is %s", log)
		}
	}
}

package hooks_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/operation/observe"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
	"github.com/trove-api/trove/validation"
)

func asUser(id int64) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			next.ServeHTTP(w, r.WithContext(operation.WithPrincipal(r.Context(), id)))
		})
	}
}

func TestPrepareSetsWhatTheServiceSets(t *testing.T) {
	t.Parallel()
	var seen []string
	c := spec.NewClient(t, resource.Config{Middleware: []func(http.Handler) http.Handler{asUser(7)}}, resource.Of[spec.Programmer]{
		Prepare: func(_ context.Context, req *operation.Request, p *spec.Programmer) error {
			previous, _ := req.Previous.(*spec.Programmer)
			seen = append(seen, fmt.Sprintf("%s %v %v %s", req.Kind, req.Variables(), previous != nil, req.HTTP().Method))
			p.UserID = req.Principal.(int64)
			return nil
		},
	})
	c.Send("POST /api/programmers", `{"nickname":"ada","userId":99}`).HasStatus(201).Mentions(`"userId":7`)
	c.Send("PUT /api/programmers/ada", `{"userId":99}`).HasStatus(200).Mentions(`"userId":7`)
	c.Send("PATCH /api/programmers/ada", `{"tagLine":"x"}`).HasStatus(200).Mentions(`"userId":7`)
	c.Send("GET /api/programmers/ada", "").HasStatus(200)
	c.Send("DELETE /api/programmers/ada", "").HasStatus(204)
	want := "Post map[] false POST|Put map[nickname:ada] true PUT|Patch map[nickname:ada] true PATCH"
	if got := strings.Join(seen, "|"); got != want {
		t.Errorf("Prepare saw %s, want %s", got, want)
	}
}

func TestPrepareRejects(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		rule   string
		err    error
		assert func(spec.Response)
	}{
		{"field errors join the broken rules", validation.Fail("tagLine", "Be brief"), func(a spec.Response) {
			a.IsInvalid("nickname", "Please enter a nickname", "tagLine", "Be brief")
		}},
		{"several field errors", errors.Join(validation.Fail("tagLine", "a"), validation.Fail("avatarNumber", "b")), func(a spec.Response) {
			a.IsInvalid("nickname", "Please enter a nickname", "tagLine", "a", "avatarNumber", "b")
		}},
		{"a rule takes precedence over a hook for the same field", validation.Fail("nickname", "x"), func(a spec.Response) {
			a.IsInvalid("nickname", "Please enter a nickname")
		}},
		{"a problem", fmt.Errorf("wrapped: %w", operation.Error{Status: 403, Type: "/no", Title: "No", Detail: "Not you."}), func(a spec.Response) {
			a.Is(403, `{"type":"/no","title":"No","status":403,"detail":"Not you."}`)
		}},
		{"not found", store.ErrNotFound, func(a spec.Response) { a.IsProblem(404) }},
		{"conflict", store.ErrConflict, func(a spec.Response) { a.IsProblem(409) }},
		{"anything else", errors.New("pq: secret"), func(a spec.Response) {
			a.Is(500, `{"type":"about:blank","title":"Internal Server Error","status":500}`)
		}},
		{"a 5xx keeps its detail to itself", operation.Error{Status: 503, Detail: "db1 is down"}, func(a spec.Response) {
			a.Is(503, `{"type":"about:blank","title":"Service Unavailable","status":503}`)
		}},
		{"a status that is none", operation.Error{Status: 200}, func(a spec.Response) { a.IsProblem(500) }},
	} {
		t.Run(test.rule, func(t *testing.T) {
			t.Parallel()
			c := spec.NewClient(t, resource.Config{}, resource.Of[spec.Programmer]{
				Prepare: func(context.Context, *operation.Request, *spec.Programmer) error { return test.err },
			})
			test.assert(c.Send("POST /api/programmers", `{"nickname":" "}`))
			c.Send("GET /api/programmers", "").Is(200, `[]`)
		})
	}
}

func TestWithWrongTypesPrepareDoesNotRun(t *testing.T) {
	t.Parallel()
	type Note struct {
		ID    int64  `json:"id"`
		Text  string `json:"text" validate:"notblank"`
		Count int    `json:"count"`
		Owner string `json:"owner" api:"readonly" validate:"required"`
	}
	ran := 0
	c := spec.NewClient(t, resource.Config{}, resource.Of[Note]{
		Prepare: func(_ context.Context, _ *operation.Request, n *Note) error {
			ran++
			n.Owner = "me"
			return nil
		},
	})
	c.Send("POST /api/notes", `{"text":" ","count":"x"}`).
		IsInvalid("text", "text must not be blank", "count", "count must be an integer")
	if ran != 0 {
		t.Error("Prepare ran over a body with wrong types")
	}
	c.Send("POST /api/notes", `{"text":"x"}`).HasStatus(201).Mentions(`"owner":"me"`)
}

func TestAProcessorWrapsEverySave(t *testing.T) {
	t.Parallel()
	var log []string
	c := spec.NewClient(t, resource.Config{}, resource.Of[spec.DragonTreasure]{
		Operations: append(operation.Standard(), spec.DiscountTreasure()),
		Processor: operation.Process(func(ctx context.Context, req *operation.Request, t *spec.DragonTreasure, save operation.Save[spec.DragonTreasure]) error {
			log = append(log, fmt.Sprintf("%s%s %d", req.Kind, req.Name, t.ID))
			if err := save(ctx, t); err != nil {
				return err
			}
			log = append(log, fmt.Sprintf("saved %d", t.ID))
			t.Name = "Seen"
			return nil
		}),
	})
	c.Send("POST /api/dragon_treasures", spec.Slinky).HasStatus(201).Mentions(`"name":"Seen"`).Has("Location", "/api/dragon_treasures/1")
	c.Send("GET /api/dragon_treasures/1", "").Mentions(`"name":"Giant slinky"`)
	c.Send("PUT /api/dragon_treasures/1", `{}`).HasStatus(200)
	c.Send("PATCH /api/dragon_treasures/1", `{}`).HasStatus(200)
	c.Send("POST /api/treasures/1/discount", `{"percent":10}`).HasStatus(200)
	c.Send("DELETE /api/dragon_treasures/1", "").HasStatus(204)
	want := "Post 0,saved 1,Put 1,saved 1,Patch 1,saved 1,Postdiscount 1,saved 1,Delete 1,saved 1"
	if got := strings.Join(log, ","); got != want {
		t.Errorf("the processor saw %s, want %s", got, want)
	}
}

func TestAProcessorsErrorRollsBack(t *testing.T) {
	t.Parallel()
	failing := operation.Process(func(ctx context.Context, _ *operation.Request, t *spec.DragonTreasure, save operation.Save[spec.DragonTreasure]) error {
		return errors.Join(save(ctx, t), operation.Error{Status: 409, Detail: "Not now."})
	})
	c := spec.NewClient(t, resource.Config{}, resource.Of[spec.DragonTreasure]{
		Store:      memory.New(spec.DragonTreasure{Name: "Cup"}),
		Operations: []operation.Operation{operation.Get{}, operation.GetCollection{}, operation.Post{Processor: failing}, operation.Patch{Processor: failing}, operation.Delete{Processor: failing}},
	})
	before := c.Send("GET /api/dragon_treasures", "").Body
	c.Send("POST /api/dragon_treasures", spec.Slinky).IsProblem(409)
	c.Send("PATCH /api/dragon_treasures/1", `{"value":5}`).IsProblem(409)
	c.Send("DELETE /api/dragon_treasures/1", "").IsProblem(409)
	c.Send("GET /api/dragon_treasures", "").Is(200, before)
}

func TestAProcessorMayLeaveTheSaveOut(t *testing.T) {
	t.Parallel()
	c := spec.NewClient(t, resource.Config{}, resource.Of[spec.DragonTreasure]{
		Operations: []operation.Operation{operation.GetCollection{}, operation.Post{
			Status: 202,
			Processor: operation.Process(func(context.Context, *operation.Request, *spec.DragonTreasure, operation.Save[spec.DragonTreasure]) error {
				return nil
			}),
		}},
	})
	c.Send("POST /api/dragon_treasures", spec.Slinky).HasStatus(202).Has("Location", "")
	c.Send("GET /api/dragon_treasures", "").Is(200, `[]`)
}

func TestMapErrorTranslatesDomainErrors(t *testing.T) {
	t.Parallel()
	errSold := errors.New("sold")
	c := spec.NewClient(t, resource.Config{MapError: func(err error) error {
		if errors.Is(err, errSold) {
			return operation.Error{Status: 410, Detail: "It was sold."}
		}
		return nil
	}}, resource.Of[spec.DragonTreasure]{
		Prepare: func(_ context.Context, _ *operation.Request, t *spec.DragonTreasure) error {
			if t.Name == "sold" {
				return fmt.Errorf("treasure: %w", errSold)
			}
			return store.ErrConflict
		},
	})
	c.Send("POST /api/dragon_treasures", `{"name":"sold"}`).IsProblem(410).Mentions("It was sold.")
	c.Send("POST /api/dragon_treasures", `{"name":"other"}`).IsProblem(409)
}

func TestA5xxIsLoggedAndDisclosesNothing(t *testing.T) {
	t.Parallel()
	for rule, hook := range map[string]func() error{
		"an error": func() error { return errors.New("the secret cause") },
		"a panic":  func() error { panic("the secret cause") },
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			var log bytes.Buffer
			c := spec.NewClient(t, resource.Config{Logger: slog.New(slog.NewTextHandler(&log, nil))}, resource.Of[spec.DragonTreasure]{
				Prepare: func(context.Context, *operation.Request, *spec.DragonTreasure) error { return hook() },
			})
			got := c.Send("POST /api/dragon_treasures", spec.Slinky).IsProblem(500)
			if strings.Contains(got.Body, "secret") {
				t.Errorf("the answer tells the cause: %s", got.Body)
			}
			if !strings.Contains(log.String(), "the secret cause") || !strings.Contains(log.String(), "createDragonTreasure") {
				t.Errorf("the log does not tell the cause and the operation: %s", &log)
			}
			c.Send("GET /api/dragon_treasures", "").Is(200, `[]`)
		})
	}
}

func TestMiddlewareRunsAroundEveryRequestInOrder(t *testing.T) {
	t.Parallel()
	mark := func(name string) func(http.Handler) http.Handler {
		return func(next http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				w.Header().Add("Seen", name)
				next.ServeHTTP(w, r)
			})
		}
	}
	c := spec.NewClient(t, resource.Config{Middleware: []func(http.Handler) http.Handler{mark("a"), mark("b")}}, resource.Of[spec.DragonTreasure]{})
	for _, path := range []string{"/api/dragon_treasures", "/nowhere", "/api"} {
		if got := c.Send("GET "+path, "").Header["Seen"]; strings.Join(got, "") != "ab" {
			t.Errorf("GET %s ran the middleware %q, want a, b", path, got)
		}
	}
}

// custom serves standard operations and o over one treasure worth 100.
func custom(t *testing.T, o ...operation.Operation) spec.Client {
	t.Helper()
	return spec.NewClient(t, resource.Config{}, resource.Of[spec.DragonTreasure]{
		Operations: append(operation.Standard(), o...),
		Store:      memory.New(spec.DragonTreasure{Name: "Cup", Value: 100}),
	})
}

func TestAHandlerChangesAndSavesItsRecord(t *testing.T) {
	t.Parallel()
	c := custom(t, spec.DiscountTreasure())
	c.Send("POST /api/treasures/1/discount", `{"percent":20}`).Is(200, `{"saved":20,"note":null}`)
	c.Send("GET /api/dragon_treasures/1", "").Mentions(`"value":80`)
	c.Send("POST /api/treasures/1/discount", `{"percent":0}`).IsInvalid("percent", "percent must be at least 1")
	c.Send("POST /api/treasures/1/discount", `{}`).IsInvalid("percent", "percent is required")
	c.Send("POST /api/treasures/1/discount", `{"percent":"x","per":1}`).HasStatus(400).Mentions(`"percent":`, `"per":`)
	c.Send("POST /api/treasures/9/discount", `{"percent":20}`).IsProblem(404)
	c.Send("GET /api/treasures/1/discount", "").IsProblem(405).Has("Allow", "POST, OPTIONS")
	c.Send("GET /api/dragon_treasures/1", "").Mentions(`"value":80`)
}

func TestAHandlerIsAtomic(t *testing.T) {
	t.Parallel()
	c := custom(t, operation.Post{
		Name: "spend", URITemplate: "/treasures/{id}/spend",
		Handler: operation.Handle(func(_ context.Context, t *spec.DragonTreasure, _ struct{}) (struct{}, error) {
			t.Value--
			return struct{}{}, nil
		}),
	})
	var group sync.WaitGroup
	for range 50 {
		group.Go(func() { c.Send("POST /api/treasures/1/spend", "").Is(204, "") })
	}
	group.Wait()
	c.Send("GET /api/dragon_treasures/1", "").Mentions(`"value":50`)
}

func TestAHandlersRecordIsValidatedAndRolledBack(t *testing.T) {
	t.Parallel()
	change := func(name string, result error) operation.Operation {
		return operation.Post{
			Name: name, URITemplate: "/treasures/{id}/" + name,
			Handler: operation.Handle(func(_ context.Context, t *spec.DragonTreasure, _ struct{}) (*spec.DragonTreasure, error) {
				t.Value = -5
				return t, result
			}),
		}
	}
	c := custom(t, change("spoil", nil), change("refuse", operation.Error{Status: 402, Detail: "Pay first."}),
		change("fail", validation.Fail("value", "value is frozen")))
	c.Send("POST /api/treasures/1/spoil", "").IsProblem(500) // no client could fix it
	c.Send("POST /api/treasures/1/refuse", "").IsProblem(402).Mentions("Pay first.", "Payment Required")
	c.Send("POST /api/treasures/1/fail", "").IsInvalid("value", "value is frozen")
	c.Send("GET /api/dragon_treasures/1", "").Mentions(`"value":100`)
}

func TestHandlersOfEveryKind(t *testing.T) {
	t.Parallel()
	double := func(_ context.Context, t *spec.DragonTreasure, _ struct{}) (*spec.DragonTreasure, error) {
		t.Value *= 2
		return t, nil
	}
	count := func(_ context.Context, t *spec.DragonTreasure, _ struct{}) ([]int, error) {
		return []int{t.Value, 7}, nil
	}
	set := func(_ context.Context, t *spec.DragonTreasure, in spec.Discount) (spec.DragonTreasure, error) {
		t.Value = in.Percent
		return *t, nil
	}
	c := custom(t,
		operation.Get{Name: "doubled", URITemplate: "/t/{id}/doubled", Handler: operation.Handle(double)},
		operation.GetCollection{Name: "count", URITemplate: "/t/count", Handler: operation.Handle(count)},
		operation.Put{Name: "set", URITemplate: "/t/{id}/set", Handler: operation.Handle(set)},
		operation.Patch{Name: "adjust", URITemplate: "/t/{id}/adjust", Handler: operation.Handle(set), Status: 202},
		operation.Delete{Name: "reset", URITemplate: "/t/{id}/value", Handler: operation.Handle(
			func(_ context.Context, t *spec.DragonTreasure, _ struct{}) (struct{}, error) {
				t.Value = 0
				return struct{}{}, nil
			})},
		operation.Post{Name: "free", URITemplate: "/t/{year}/free", Handler: operation.Handle(
			func(ctx context.Context, _ *spec.DragonTreasure, _ struct{}) (map[string]string, error) {
				req, _ := operation.RequestFrom(ctx)
				return req.Variables(), nil
			})},
	)
	c.Send("GET /api/t/1/doubled", "").HasStatus(200).Mentions(`"value":200`)
	c.Send("GET /api/dragon_treasures/1", "").Mentions(`"value":100`)
	c.Send("GET /api/t/count", "").Is(200, `[0,7]`)
	c.Send("PUT /api/t/1/set", `{"percent":30}`).HasStatus(200).Mentions(`"value":30`)
	c.Send("PATCH /api/t/1/adjust", `{"percent":31}`, "Content-Type", "application/merge-patch+json").HasStatus(202)
	c.Send("GET /api/dragon_treasures/1", "").Mentions(`"value":31`)
	c.Send("DELETE /api/t/1/value", "").Is(204, "")
	c.Send("GET /api/dragon_treasures/1", "").Mentions(`"value":0`)
	c.Send("POST /api/t/a%2Fb/free", "").Is(200, `{"year":"a/b"}`)
}

// faulty is an observer that panics.
type faulty struct{ begin, end bool }

func (f faulty) Begin(ctx context.Context, _ observe.Operation, _ *http.Request) context.Context {
	if f.begin {
		panic("begin")
	}
	return ctx
}

func (f faulty) End(context.Context, *observe.Outcome) {
	if f.end {
		panic("end")
	}
}

func TestAnObserverThatPanicsDoesNotBreakTheResponse(t *testing.T) {
	t.Parallel()
	of := resource.Of[spec.Programmer]{}
	spec.NewClient(t, resource.Config{Observers: []observe.Observer{faulty{begin: true}}}, of).Send("GET /api/programmers", "").IsProblem(500)
	spec.NewClient(t, resource.Config{Observers: []observe.Observer{faulty{end: true}}}, of).Send("GET /api/programmers", "").Is(200, `[]`)
}

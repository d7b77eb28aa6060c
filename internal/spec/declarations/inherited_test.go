package declarations_test

import (
	"context"
	"testing"
	"time"

	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store/memory"
)

func TestOperationsInheritWhatTheyDoNotSet(t *testing.T) {
	t.Parallel()
	gone := time.Date(2030, time.January, 1, 0, 0, 0, 0, time.UTC)
	count := 0
	counted := operation.Process(func(ctx context.Context, _ *operation.Request, p *spec.Programmer, save operation.Save[spec.Programmer]) error {
		count++
		return save(ctx, p)
	})
	declared := resource.Of[spec.Programmer]{
		Store:               memory.New(spec.Programmer{Nickname: "ada"}, spec.Programmer{Nickname: "grace"}),
		RequirePrecondition: true, SparseFields: true, CacheControl: "no-store", Sunset: gone, Processor: counted,
		Order: []string{"-nickname"}, Pagination: operation.Pagination{ItemsPerPage: 1},
		Operations: []operation.Operation{
			operation.Get{},
			operation.GetCollection{},
			operation.Put{},
			operation.Get{Name: "plain", URITemplate: "/plain/{nickname}", CacheControl: "private"},
			operation.GetCollection{Name: "plainList", URITemplate: "/plain", Order: []string{"nickname"}},
		},
	}
	c := spec.NewClient(t, resource.Config{}, declared)
	c.Send("GET /api/programmers/ada?fields=nickname", "").Is(200, `{"nickname":"ada"}`).Has("Cache-Control", "no-store").Has("Sunset", "Tue, 01 Jan 2030 00:00:00 GMT")
	c.Send("GET /api/plain/ada?fields=nickname", "").HasStatus(200).Has("Cache-Control", "private").Has("Sunset", "Tue, 01 Jan 2030 00:00:00 GMT")
	c.Send("GET /api/programmers?fields=nickname", "").Is(200, `[{"nickname":"grace"}]`)
	c.Send("GET /api/plain?fields=nickname", "").Is(200, `[{"nickname":"ada"}]`)
	c.Send("PUT /api/programmers/ada", `{"nickname":"ada","avatarNumber":5}`).IsProblem(428)
	c.Send("PUT /api/programmers/ada", `{"nickname":"ada","avatarNumber":6}`, "If-Match", "*").HasStatus(200)
	if count != 1 {
		t.Errorf("the Processor ran %d times, want 1", count)
	}
}

func TestHooksAndHandlersReadExtraProperties(t *testing.T) {
	t.Parallel()
	extra := map[string]any{"tier": "gold", "limit": 7}
	var read []any
	note := func(req *operation.Request) {
		read = append(read, req.ExtraProperties["tier"], req.ExtraProperties["limit"])
	}
	handler := func(ctx context.Context, _ *spec.Programmer, _ struct{}) (struct{}, error) {
		req, _ := operation.RequestFrom(ctx)
		note(req)
		return struct{}{}, nil
	}
	c := spec.NewClient(t, resource.Config{}, resource.Of[spec.Programmer]{
		ExtraProperties: extra,
		Prepare: func(_ context.Context, req *operation.Request, _ *spec.Programmer) error {
			note(req)
			return nil
		},
		Operations: []operation.Operation{
			operation.Post{ExtraProperties: map[string]any{"limit": 9}},
			operation.Post{Name: "ring", URITemplate: "/ring", Handler: operation.Handle(handler)},
			operation.Get{},
		},
	})
	extra["tier"] = "changed later" // by the program, which New does not see
	c.Send("POST /api/programmers", `{"nickname":"ada"}`).HasStatus(201)
	c.Send("POST /api/ring", "").HasStatus(204)
	if want := []any{"gold", 9, "gold", 7}; len(read) != len(want) || read[0] != want[0] || read[1] != want[1] || read[2] != want[2] || read[3] != want[3] {
		t.Errorf("hooks read %v, want %v", read, want)
	}
}

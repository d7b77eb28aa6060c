package wire_test

import (
	"context"
	"testing"

	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store/memory"
)

// Ring is a record with parts that a shallow copy would share.
type Ring struct {
	ID     int64             `json:"id"`
	Stones []string          `json:"stones"`
	Notes  map[string]string `json:"notes"`
}

func spoil(r *Ring) {
	r.ID = 99
	if len(r.Stones) > 0 {
		r.Stones[0] = "spoilt"
	}
	if r.Notes != nil {
		r.Notes["spoilt"] = "yes"
	}
}

const (
	ring  = `{"stones":["ruby"],"notes":{"by":"Anna"}}`
	patch = `{"notes":{"of":"gold"}}`
)

// TestWhatFunctionsKeepIsNotTheStores changes records that a processor and a handler received, after they were
// saved and sent.
func TestWhatFunctionsKeepIsNotTheStores(t *testing.T) {
	t.Parallel()
	var kept []*Ring
	keeping := operation.Process(func(ctx context.Context, _ *operation.Request, r *Ring, save operation.Save[Ring]) error {
		kept = append(kept, r)
		return save(ctx, r)
	})
	polish := operation.Post{Name: "polish", URITemplate: "/rings/{id}/polish", Handler: operation.Handle(
		func(_ context.Context, r *Ring, _ struct{}) (*Ring, error) {
			kept = append(kept, r)
			r.Stones = append(r.Stones, "polished")
			return r, nil
		})}
	c := spec.NewClient(t, resource.Config{}, resource.Of[Ring]{
		Operations: append(operation.Standard(), polish), Processor: keeping, Store: memory.New[Ring](),
	})
	c.Send("POST /api/rings", ring).HasStatus(201)
	for _, request := range []string{"PATCH /api/rings/1", "PUT /api/rings/1"} {
		c.Send(request, patch).HasStatus(200)
	}
	c.Send("POST /api/rings/1/polish", "").HasStatus(200)
	before := c.Send("GET /api/rings/1", "").HasStatus(200).Body
	for _, r := range kept {
		spoil(r)
	}
	if after := c.Send("GET /api/rings/1", "").HasStatus(200).Body; after != before || len(kept) < 4 {
		t.Errorf("%d records were kept and spoilt: the store's became %s, from %s", len(kept), after, before)
	}
}

// TestAFailedChangeLeavesTheRecordAsItIs changes a record in a hook and rejects the request.
func TestAFailedChangeLeavesTheRecordAsItIs(t *testing.T) {
	t.Parallel()
	c := spec.NewClient(t, resource.Config{}, resource.Of[Ring]{
		Store: memory.New(Ring{Stones: []string{"ruby"}, Notes: map[string]string{"by": "Anna"}}),
		Prepare: func(_ context.Context, _ *operation.Request, r *Ring) error {
			spoil(r)
			return operation.Error{Status: 409, Detail: "Not this one."}
		},
	})
	before := c.Send("GET /api/rings/1", "").HasStatus(200).Body
	for _, request := range []string{"PATCH /api/rings/1", "PUT /api/rings/1"} {
		c.Send(request, patch).HasStatus(409)
		if after := c.Send("GET /api/rings/1", "").HasStatus(200).Body; after != before {
			t.Errorf("%s: the record became %s, from %s", request, after, before)
		}
	}
}

func TestThePreviousRecordIsNotTheChangedOne(t *testing.T) {
	t.Parallel()
	var was []string
	c := spec.NewClient(t, resource.Config{}, resource.Of[Ring]{
		Store: memory.New(Ring{Stones: []string{"ruby"}, Notes: map[string]string{"by": "Anna"}}),
		Prepare: func(_ context.Context, req *operation.Request, r *Ring) error {
			r.Stones[0], r.Notes["by"] = "opal", "Bob"
			previous, _ := req.Previous.(*Ring)
			was = append(was, previous.Stones[0], previous.Notes["by"])
			return nil
		},
	})
	c.Send("PATCH /api/rings/1", patch).HasStatus(200).Mentions("opal", "Bob")
	if was[0] != "ruby" || was[1] != "Anna" {
		t.Errorf("the record before is %q", was)
	}
}

func TestAProcessorThatHasReturnedSavesNothing(t *testing.T) {
	t.Parallel()
	var late func() error
	c := spec.NewClient(t, resource.Config{}, resource.Of[Ring]{
		Processor: operation.Process(func(ctx context.Context, _ *operation.Request, r *Ring, save operation.Save[Ring]) error {
			late = func() error { return save(ctx, r) }
			return save(ctx, r)
		}),
	})
	c.Send("POST /api/rings", ring).HasStatus(201)
	first := late
	c.Send("POST /api/rings", ring).HasStatus(201)
	before := c.Send("GET /api/rings", "").HasStatus(200).Body
	if err := first(); err == nil {
		t.Error("a save after the end of the operation is no error")
	}
	if after := c.Send("GET /api/rings", "").HasStatus(200).Body; after != before {
		t.Errorf("the records became %s, from %s", after, before)
	}
}

package resource_test

import (
	"context"
	"testing"

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

// TestWhatFunctionsKeepIsNotTheStores spoils records that a processor and a handler have
// been handed, once they have been saved and answered.
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
	c := newClient(t, resource.Config{}, resource.Of[Ring]{
		Operations: append(operation.Standard(), polish), Processor: keeping, Store: memory.New[Ring](),
	})
	c.send("POST /api/rings", ring).hasStatus(201)
	for _, request := range []string{"PATCH /api/rings/1", "PUT /api/rings/1"} {
		c.send(request, patch).hasStatus(200)
	}
	c.send("POST /api/rings/1/polish", "").hasStatus(200)
	before := c.send("GET /api/rings/1", "").hasStatus(200).body
	for _, r := range kept {
		spoil(r)
	}
	if after := c.send("GET /api/rings/1", "").hasStatus(200).body; after != before || len(kept) < 4 {
		t.Errorf("%d records were kept and spoilt: the store's became %s, from %s", len(kept), after, before)
	}
}

// TestAFailedChangeLeavesTheRecordAsItIs changes a record in a hook, and refuses the request.
func TestAFailedChangeLeavesTheRecordAsItIs(t *testing.T) {
	t.Parallel()
	c := newClient(t, resource.Config{}, resource.Of[Ring]{
		Store: memory.New(Ring{Stones: []string{"ruby"}, Notes: map[string]string{"by": "Anna"}}),
		Prepare: func(_ context.Context, _ *operation.Request, r *Ring) error {
			spoil(r)
			return operation.Error{Status: 409, Detail: "Not this one."}
		},
	})
	before := c.send("GET /api/rings/1", "").hasStatus(200).body
	for _, request := range []string{"PATCH /api/rings/1", "PUT /api/rings/1"} {
		c.send(request, patch).hasStatus(409)
		if after := c.send("GET /api/rings/1", "").hasStatus(200).body; after != before {
			t.Errorf("%s: the record became %s, from %s", request, after, before)
		}
	}
}

func TestThePreviousRecordIsNotTheChangedOne(t *testing.T) {
	t.Parallel()
	var was []string
	c := newClient(t, resource.Config{}, resource.Of[Ring]{
		Store: memory.New(Ring{Stones: []string{"ruby"}, Notes: map[string]string{"by": "Anna"}}),
		Prepare: func(_ context.Context, req *operation.Request, r *Ring) error {
			r.Stones[0], r.Notes["by"] = "opal", "Bob"
			previous, _ := req.Previous.(*Ring)
			was = append(was, previous.Stones[0], previous.Notes["by"])
			return nil
		},
	})
	c.send("PATCH /api/rings/1", patch).hasStatus(200).mentions("opal", "Bob")
	if was[0] != "ruby" || was[1] != "Anna" {
		t.Errorf("the record before is %q", was)
	}
}

func TestAProcessorThatHasReturnedSavesNothing(t *testing.T) {
	t.Parallel()
	var late func() error
	c := newClient(t, resource.Config{}, resource.Of[Ring]{
		Processor: operation.Process(func(ctx context.Context, _ *operation.Request, r *Ring, save operation.Save[Ring]) error {
			late = func() error { return save(ctx, r) }
			return save(ctx, r)
		}),
	})
	c.send("POST /api/rings", ring).hasStatus(201)
	first := late
	c.send("POST /api/rings", ring).hasStatus(201)
	before := c.send("GET /api/rings", "").hasStatus(200).body
	if err := first(); err == nil {
		t.Error("a save after the end of the operation is no error")
	}
	if after := c.send("GET /api/rings", "").hasStatus(200).body; after != before {
		t.Errorf("the records became %s, from %s", after, before)
	}
}

package bodies_test

import (
	"context"
	"net/http"
	"path"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
)

type parcel struct {
	ID     int64 `json:"id"`
	Weight int   `json:"weight"`
}

// calls are the files in the call stack when user code was called, the innermost first.
type calls struct {
	mu    sync.Mutex
	files map[string][]string
}

func (c *calls) note(what string) {
	var at [100]uintptr
	frames := runtime.CallersFrames(at[:runtime.Callers(2, at[:])])
	var files []string
	for more := true; more; {
		var frame runtime.Frame
		frame, more = frames.Next()
		files = append(files, frame.File)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.files[what] = files
}

// notingStore records its callers.
type notingStore struct {
	store.Store[parcel]
	calls *calls
}

func (s notingStore) Get(ctx context.Context, id any) (*parcel, error) {
	s.calls.note("Get")
	return s.Store.Get(ctx, id)
}

func (s notingStore) List(ctx context.Context, query store.Query) (store.Page[parcel], error) {
	s.calls.note("List")
	return s.Store.List(ctx, query)
}

func (s notingStore) Transact(ctx context.Context, f func(context.Context, store.Tx[parcel]) error) error {
	s.calls.note("Transact")
	return s.Store.Transact(ctx, func(ctx context.Context, tx store.Tx[parcel]) error {
		return f(ctx, notingTx{tx, s.calls})
	})
}

type notingTx struct {
	store.Tx[parcel]
	calls *calls
}

func (t notingTx) Insert(ctx context.Context, record *parcel) error {
	t.calls.note("Insert")
	return t.Tx.Insert(ctx, record)
}

func (t notingTx) Update(ctx context.Context, id any, record *parcel) error {
	t.calls.note("Update")
	return t.Tx.Update(ctx, id, record)
}

func (t notingTx) Delete(ctx context.Context, id any) error {
	t.calls.note("Delete")
	return t.Tx.Delete(ctx, id)
}

// TestRequestsDoNotClimbBack checks that package resource, which declares and compiles, hands a request to its
// operation and then has no more to do with it. It compares files, because inlined code has the name of the
// function it is in.
func TestRequestsDoNotClimbBack(t *testing.T) {
	t.Parallel()
	seen := &calls{files: map[string][]string{}}
	c := spec.NewClient(t, resource.Config{}, resource.Of[parcel]{
		Store: notingStore{memory.New(parcel{ID: 1}), seen},
		Prepare: func(context.Context, *operation.Request, *parcel) error {
			seen.note("Prepare")
			return nil
		},
		Processor: operation.Process(func(ctx context.Context, _ *operation.Request, p *parcel, save operation.Save[parcel]) error {
			seen.note("Processor")
			return save(ctx, p)
		}),
	})
	for _, test := range []struct {
		request, body string
		status        int
	}{
		{"GET /api/parcels", "", http.StatusOK},
		{"GET /api/parcels/1", "", http.StatusOK},
		{"POST /api/parcels", `{"weight":1}`, http.StatusCreated},
		{"PATCH /api/parcels/1", `{"weight":2}`, http.StatusOK},
		{"DELETE /api/parcels/1", "", http.StatusNoContent},
	} {
		c.Send(test.request, test.body).HasStatus(test.status)
	}
	for _, what := range []string{"Get", "List", "Transact", "Insert", "Update", "Delete", "Prepare", "Processor"} {
		declaring := "" // the innermost file of package resource
		for _, file := range seen.files[what] {
			switch dir := path.Dir(file); {
			case strings.HasSuffix(file, "_test.go"), path.Base(dir) == "spec":
			case declaring == "" && path.Base(dir) == "resource":
				declaring = file
			case declaring != "" && path.Base(path.Dir(dir)) == "internal":
				t.Fatalf("%s is called by way of %s, which %s calls", what, declaring, file)
			}
		}
		if declaring == "" {
			t.Errorf("%s was not called by a request: %v", what, seen.files[what])
		}
	}
}

package bodies_test

import (
	"context"
	"testing"

	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
)

// label has an identifier that a store would generate, in any position.
type label struct {
	ID   int64  `json:"id" api:"id"`
	Text string `json:"text"`
}

type crate struct {
	ID     int64   `json:"id"`
	Front  label   `json:"front"`
	Others []label `json:"others"`
}

func TestAGeneratedIdentifierIsReadOnlyEverywhere(t *testing.T) {
	t.Parallel()
	echo := func(_ context.Context, _ *crate, in label) (label, error) { return in, nil }
	relabel := func(_ context.Context, _ *crate, in crate) (crate, error) { return in, nil }
	c := spec.NewClient(t, resource.Config{}, resource.Of[crate]{Operations: append(operation.Standard(),
		operation.Post{Name: "echo", URITemplate: "/crates/echo", Handler: operation.Handle(echo)},
		operation.Post{Name: "relabel", URITemplate: "/crates/relabel", Handler: operation.Handle(relabel)},
	)})
	c.Send("POST /api/crates/echo", `{"text":"a"}`).Is(200, `{"id":0,"text":"a"}`)
	c.Send("POST /api/crates/echo", `{"id":7,"text":"a"}`).Is(200, `{"id":0,"text":"a"}`)
	c.Send("POST /api/crates", `{"front":{"text":"a"},"others":[{"id":7,"text":"b"}]}`).
		Is(201, `{"id":1,"front":{"id":0,"text":"a"},"others":[{"id":0,"text":"b"}]}`)
	c.Send("POST /api/crates/relabel", `{"id":3,"front":{"text":"a"},"others":[]}`).Is(200, `{"id":0,"front":{"id":0,"text":"a"},"others":[]}`)
}

package relations_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store/memory"
)

// Shard is what a Mosaic has very many of.
type Shard struct {
	ID int64 `json:"id"`
}

type Mosaic struct {
	ID     int64   `json:"id"`
	Shards []int64 `json:"shards" validate:"max=9990" api:"ref=Shard,expand"`
}

// The cost of a body is linear in its length: all its references need one call of the store, and none if the body is
// too long.
func TestThousandsOfReferencesInABodyAreCheckedAtOnce(t *testing.T) {
	t.Parallel()
	const many = 9_990
	asked := new(atomic.Int64)
	shards := memory.New(make([]Shard, many)...)
	c := spec.NewClient(t, resource.Config{}, resource.Of[Mosaic]{}, resource.Of[Shard]{Store: counting[Shard]{shards, asked}})
	body := func(n int, last string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, `"/api/shards/%d",`, i+1)
		}
		return `{"shards":[` + b.String() + last + `]}`
	}
	for _, sent := range []struct {
		name, body string
		status     int
		names      string
		asks       int64
	}{
		{"all there", body(many-1, `"/api/shards/9990"`), http.StatusCreated, `"shards":["/api/shards/1",`, 1},
		{"one missing", body(many-1, `"/api/shards/20000"`), http.StatusBadRequest, `"shards[9989]"`, 1},
		{"one twice", body(many-1, `"/api/shards/7"`), http.StatusBadRequest, `"shards[9989]":"shards[9989] is a duplicate"`, 1},
		{"more than a body may have", body(10_000, `"/api/shards/1"`), http.StatusRequestEntityTooLarge, "10000 fields and elements", 0},
		{"one too many", body(many, `"/api/shards/1"`), http.StatusBadRequest, `"shards":"shards must have at most 9990 elements"`, 0},
	} {
		asked.Store(0)
		c.Send("POST /api/mosaics", sent.body).HasStatus(sent.status).Mentions(sent.names)
		if n := asked.Load(); n != sent.asks {
			t.Errorf("%s: the store was asked %d times, want %d", sent.name, n, sent.asks)
		}
	}
	asked.Store(0)
	c.Send("GET /api/mosaics?expand=shards", "").HasStatus(http.StatusOK).Mentions(`"_embedded":{"shards":[{"id":1},`)
	if n := asked.Load(); n != 1 {
		t.Errorf("an expansion asked %d times, want once", n)
	}
}

package csv_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/format/csv"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
)

type coin struct {
	ID   int64  `json:"id"`
	Name string `json:"name"`
}

// mint is a store that counts the records which were taken out of it.
type mint struct {
	*memory.Store[coin]

	read, largest int
}

func (m *mint) List(ctx context.Context, query store.Query) (store.Page[coin], error) {
	page, err := m.Store.List(ctx, query)
	m.read, m.largest = m.read+len(page.Items), max(m.largest, len(page.Items))
	return page, err
}

// client reads a response as it arrives, and records how much of it was held back.
type client struct {
	*httptest.ResponseRecorder

	from          *mint
	rows, longest int
	held          int // the most records that were read and not yet written
}

func (c *client) Write(b []byte) (int, error) {
	c.rows += strings.Count(string(b), "\r\n")
	c.longest, c.held = max(c.longest, len(b)), max(c.held, c.from.read-c.rows)
	return len(b), nil
}

// A table is written while it is read: what is kept of it does not grow with it.
func TestATableTakesConstantRoom(t *testing.T) {
	t.Parallel()
	var first client
	for _, rows := range []int{2000, 8000} {
		coins := make([]coin, rows)
		for i := range coins {
			coins[i] = coin{int64(i + 1), fmt.Sprintf("coin %d, %s", i, strings.Repeat("x", 50))}
		}
		from := &mint{Store: memory.New(coins...)}
		api, err := resource.New(resource.Config{Formats: append(format.Standard(), csv.Format)}, resource.Of[coin]{Store: from})
		if err != nil {
			t.Fatal(err)
		}
		c := client{ResponseRecorder: httptest.NewRecorder(), from: from}
		api.ServeHTTP(&c, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/api/coins.csv", http.NoBody))
		if c.rows != rows+1 {
			t.Errorf("the table has %d rows, want %d and a header", c.rows, rows)
		}
		if first.from == nil {
			first = c
		}
		if from.largest > 256 || c.held > from.largest || c.longest > 64<<10 || c.longest > first.longest+1<<10 {
			t.Errorf("of %d rows %d were read at once, %d held back, and %d bytes written at once", rows, from.largest, c.held, c.longest)
		}
	}
}

package hal_test

import (
	"testing"

	"github.com/trove-api/trove/format/hal"
	"github.com/trove-api/trove/resource"
)

func TestAFieldTakesPrecedenceOverItsLinks(t *testing.T) {
	t.Parallel()
	type Mark struct {
		ID int64 `json:"id"`
	}
	type Item struct {
		ID    int64   `json:"id"`
		Marks []int64 `json:"marks" validate:"max=3" api:"ref=Mark"`
	}
	c := newClient(t, hal.Format, resource.Config{}, resource.Of[Mark]{}, resource.Of[Item]{})
	c.Send("POST /api/marks", `{}`)
	c.Send("POST /api/marks", `{}`)
	for body, want := range map[string]string{
		`{"marks":["/api/marks/1"],"_links":{"marks":[]}}`:                           `"marks":[{"href":"/api/marks/1"}]`,
		`{"_links":{"marks":[{"href":"/api/marks/2"}]},"marks":["/api/marks/1"]}`:    `"marks":[{"href":"/api/marks/1"}]`,
		`{"marks":[],"_links":{"marks":[{"href":"/api/marks/2"}]}}`:                  `"marks":[]`,
		`{"marks":["/api/marks/2"],"_links":{"marks":[{"href":"/api/marks/2"}]}}`:    `"marks":[{"href":"/api/marks/2"}]`,
		`{"_links":{"marks":[{"href":"/api/marks/2"}],"self":{"href":"/anywhere"}}}`: `"marks":[{"href":"/api/marks/2"}]`,
	} {
		c.Send("POST /api/items", body, "Content-Type", hal.MediaType, "Accept", hal.MediaType).Mentions(201, want)
	}
}

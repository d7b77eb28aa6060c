package hal_test

import (
	"encoding/json"
	"testing"

	"github.com/trove-api/trove/format/hal"
	"github.com/trove-api/trove/resource"
)

// FuzzABodyIsRejectedOrChangesTheRecord holds the reader to its word for any bytes: it is 200 and
// the record is one still, or 4xx and nothing has changed.
func FuzzABodyIsRejectedOrChangesTheRecord(f *testing.F) {
	for _, body := range []string{
		gold, tin, ann, `{"_links":{"tags":[{"href":"/api/tags/old"},{}]}}`, `{"_links":{"heir":null},"_embedded":[]}`, "{", `{"a":[1,{"b":"\u0000"}]}`,
		`{"_links":{"self":{"href":"/api/treasures/2"}}}`, "\xff", `{"_links":{"owner":{"href":"\ud800"}}}`,
	} {
		f.Add(body)
	}
	f.Fuzz(func(t *testing.T, body string) {
		c := newHoard(t, hal.Format, resource.Config{})
		answered := c.Send("PATCH /api/treasures/1.jsonhal", body)
		now := c.Send("GET /api/treasures/1.jsonhal", "")
		switch {
		case answered.Status == 200 && json.Valid([]byte(now.Body)):
			c.Send("PUT /api/treasures/1.jsonhal", now.Body).Is(200, now.Body)
		case answered.Status < 400 || answered.Status > 499 || now.Body != gold:
			t.Errorf("%q is %d, and the record %s", body, answered.Status, now.Body)
		}
	})
}

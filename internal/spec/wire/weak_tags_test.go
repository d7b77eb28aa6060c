package wire_test

import (
	"net/http"
	"testing"

	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/resource"
)

type vase struct {
	ID   int64  `json:"id"`
	Name string `json:"name"`
}

func TestAWeakTagInIfMatchFailsAndTheErrorSaysWhy(t *testing.T) {
	t.Parallel()
	c := spec.NewClient(t, resource.Config{}, resource.Of[vase]{})
	tag := c.Send("POST /api/vases", `{"name":"Ming"}`).Header.Get("ETag")
	for _, request := range []string{"GET /api/vases/1", "PUT /api/vases/1", "PATCH /api/vases/1", "DELETE /api/vases/1"} {
		body := ""
		if request[0] == 'P' {
			body = `{"name":"Qing"}`
		}
		for match, says := range map[string]string{
			`W/` + tag:                "is weak",
			`W/"other", W/` + tag:     "is weak",
			`"other"`:                 "Reload it",
			`"other", W/` + tag:       "Reload it",
			`W/` + tag + `, "other" `: "Reload it",
		} {
			c.Send(request, body, "If-Match", match).IsProblem(http.StatusPreconditionFailed).Mentions(says)
		}
	}
	c.Send("PATCH /api/vases/2", `{"name":"Qing"}`, "If-Match", "W/"+tag).IsProblem(http.StatusNotFound)
	c.Send("GET /api/vases/1", "", "If-None-Match", "W/"+tag).HasStatus(http.StatusNotModified)
	c.Send("PATCH /api/vases/1", `{"name":"Qing"}`, "If-Match", tag).HasStatus(http.StatusOK)
}

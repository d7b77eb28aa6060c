package resource_test

import (
	"net/http"
	"testing"

	"github.com/trove-api/trove/resource"
)

type vase struct {
	ID   int64  `json:"id"`
	Name string `json:"name"`
}

func TestAWeakTagInIfMatchFailsAndTheErrorSaysWhy(t *testing.T) {
	t.Parallel()
	c := newClient(t, resource.Config{}, resource.Of[vase]{})
	tag := c.send("POST /api/vases", `{"name":"Ming"}`).header.Get("ETag")
	for _, request := range []string{"GET /api/vases/1", "PUT /api/vases/1", "PATCH /api/vases/1", "DELETE /api/vases/1"} {
		body := ""
		if request[0] == 'P' {
			body = `{"name":"Qing"}`
		}
		for match, says := range map[string]string{
			`W/` + tag:                "is weak",
			`W/"other", W/` + tag:     "is weak",
			`"other"`:                 "Read it again",
			`"other", W/` + tag:       "Read it again",
			`W/` + tag + `, "other" `: "Read it again",
		} {
			c.send(request, body, "If-Match", match).isProblem(http.StatusPreconditionFailed).mentions(says)
		}
	}
	c.send("PATCH /api/vases/2", `{"name":"Qing"}`, "If-Match", "W/"+tag).isProblem(http.StatusNotFound)
	c.send("GET /api/vases/1", "", "If-None-Match", "W/"+tag).hasStatus(http.StatusNotModified)
	c.send("PATCH /api/vases/1", `{"name":"Qing"}`, "If-Match", tag).hasStatus(http.StatusOK)
}

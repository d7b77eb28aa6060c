package relations_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
)

func TestAnInverseIsTheAddressOfWhatRefersToARecord(t *testing.T) {
	t.Parallel()
	coves := resource.Of[Cove]{Inverse: map[string]string{"yawls": "Yawl.cove"}, SparseFields: true}
	c := spec.NewClient(t, resource.Config{}, coves, yawls, cargoes)
	const bree = `{"name":"Bree Bay","yawls":"/api/coves/Bree%20Bay/yawls"}`
	c.Send("POST /api/coves", `{"name":"Bree Bay"}`).Is(http.StatusCreated, bree)
	c.Send("GET /api/coves/Bree%20Bay", "").Is(http.StatusOK, bree)
	c.Send("PUT /api/coves/Bree%20Bay", bree).Is(http.StatusOK, bree)
	c.Send("PATCH /api/coves/Bree%20Bay", `{"yawls":1}`).Is(http.StatusOK, bree)
	c.Send("GET /api/coves?fields=yawls", "").Is(http.StatusOK, "["+bree+"]")
	c.Send("GET /api/coves?fields=name", "").Is(http.StatusOK, `[{"name":"Bree Bay"}]`)
	c.Send("GET /api/coves/Bree%20Bay/yawls", "").Is(http.StatusOK, `[]`)
}

func TestMistakesInInverses(t *testing.T) {
	t.Parallel()
	alone := resource.Of[Yawl]{Operations: []operation.Operation{operation.Get{}}}
	coves := resource.Of[Cove]{Inverse: map[string]string{
		"name": "Yawl.cove", "a.b": "Yawl.cove", "b": "Yawl", "c": "Yaw.cove", "d": "Yawl.cov", "e": "Yawl.cove", "f": "Yawl.name",
	}}
	_, err := resource.New(resource.Config{}, coves, alone)
	for _, want := range []string{
		`resource Cove: Inverse: has "name", which is a member of the record already`,
		`resource Cove: Inverse: has the name "a.b"`,
		`resource Cove: Inverse: has "Yawl" for "b"; write it as`,
		`resource Cove: Inverse: refers to Yaw, which no resource is called; allowed: Cove, Yawl; did you mean "Yawl"?`,
		`resource Cove: Inverse: has "Yawl.cov" for "d", which is no reference to one Cove; allowed: cove, owner; did you mean "cove"?`,
		`resource Cove: Inverse: has "Yawl.name" for "f", which is no reference to one Cove`,
		`resource Cove: Inverse: names Yawl.cove, but no collection of Yawl is below that reference; ` +
			`add operation.GetCollection{URITemplate: "/coves/{cove}/yawls"} to its Operations`,
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("the error is\n%v\nwant one with\n\t%s", err, want)
		}
	}
}

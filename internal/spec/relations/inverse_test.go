package relations_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
)

func TestAnInverseIsThePathOfTheRecordsThatReferToARecord(t *testing.T) {
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
		`Cove: Inverse: the record already has a field "name"`,
		`Cove: Inverse: the name "a.b" is not allowed; names cannot be empty or contain dots, brackets, quotes or backslashes`,
		`Cove: Inverse: "Yawl" of "b" is not a reference; write a resource and its reference, such as "DragonTreasure.owner"`,
		`Cove: Inverse: references resource "Yaw", which does not exist; did you mean "Yawl"?`,
		`Cove: Inverse: "Yawl.cov" of "d" is not a reference to Cove; did you mean "cove"?`,
		`Cove: Inverse: "Yawl.name" of "f" is not a reference to Cove; allowed: cove, owner`,
		`Cove: Inverse: Yawl.cove needs a collection of Yawl below that reference; add operation.GetCollection{URITemplate: "/coves/{cove}/yawls"} to its Operations`,
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("the error is\n%v\nwant one with\n\t%s", err, want)
		}
	}
}

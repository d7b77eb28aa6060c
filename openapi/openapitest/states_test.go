package openapitest_test

import (
	"strings"
	"testing"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/openapi/openapitest"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
)

// claim is a record whose last step needs three others.
type claim struct {
	ID     int64  `json:"id"`
	Text   string `json:"text" validate:"notblank"`
	Status string `json:"status" validate:"oneof=new open paid closed lost" default:"new" api:"readonly"`
}

// claims declares the steps in the wrong order, each with a condition.
func claims(t *testing.T, more ...operation.Operation) *resource.API {
	t.Helper()
	step := func(name, from, to string) operation.Operation {
		return operation.Post{Name: name, URITemplate: "/claims/{id}/" + name, When: access.Where("status", from), Handler: operation.Set("status", to)}
	}
	api, err := resource.New(resource.Config{}, resource.Of[claim]{Operations: append([]operation.Operation{
		operation.Get{},
		operation.GetCollection{},
		operation.Post{},
		operation.Delete{When: access.Where("status", "closed")},
		operation.Patch{When: access.Where("status", "open", "paid")},
		step("reopen", "closed", "open"), step("close", "paid", "closed"), step("pay", "open", "paid"), step("start", "new", "open"),
	}, more...)})
	if err != nil {
		t.Fatal(err)
	}
	return api
}

func TestConformBringsRecordsIntoTheStateThatAnOperationNeeds(t *testing.T) {
	t.Parallel()
	openapitest.Conform(t, claims(t), openapitest.Requests(60))
}

func TestAConditionThatNoRecordMeetsIsReported(t *testing.T) {
	t.Parallel()
	notes := &recorder{TB: t}
	openapitest.Conform(notes, claims(t, operation.Post{
		Name: "find", URITemplate: "/claims/{id}/find", When: access.Where("status", "lost"), Handler: operation.Set("status", "open"),
	}), openapitest.Requests(20))
	if text := strings.Join(notes.complaints, "\n"); !strings.Contains(text, "POST /api/claims/{id}/find (findClaim) never succeeded") || strings.Count(text, "never succeeded") != 1 {
		t.Errorf("the failures are\n%s", text)
	}
}

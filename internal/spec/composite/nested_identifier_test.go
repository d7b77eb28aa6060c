package composite_test

import (
	"net/http"
	"testing"

	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
)

// Coffer is named by clients, and so is what is in it.
type Coffer struct {
	Name string `json:"name" api:"id"`
	Lock struct {
		Serial string `json:"serial" api:"id"`
		Turns  int    `json:"turns"`
	} `json:"lock"`
}

func TestAPutThatCreatesNeedsIdentifiersWithinTheRecord(t *testing.T) {
	t.Parallel()
	c := spec.NewClient(t, resource.Config{}, resource.Of[Coffer]{Operations: []operation.Operation{
		operation.Get{}, operation.Put{AllowCreate: true, ExtraProperties: map[string]any{"standard_put": true}},
	}})
	const put = "PUT /api/coffers/oak"
	c.Send(put, `{"lock":{"turns":1}}`).HasStatus(http.StatusBadRequest).Mentions("lock.serial")
	c.Send(put, `{"lock":{"serial":"a","turns":1}}`).HasStatus(http.StatusCreated)
	c.Send(put, `{"lock":{"turns":1}}`).HasStatus(http.StatusBadRequest).Mentions("lock.serial")
	c.Send(put, `{"lock":{"serial":"b"}}`).Is(http.StatusOK, `{"name":"oak","lock":{"serial":"b","turns":0}}`)
}

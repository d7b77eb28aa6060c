package main

import (
	"context"
	"testing"

	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
)

func TestTheGuidesHookSetsAReference(t *testing.T) {
	t.Parallel()
	type User struct {
		ID int64 `json:"id"`
	}
	type Treasure struct {
		ID    int64 `json:"id"`
		Owner int64 `json:"owner" validate:"omitempty" api:"ref=User"` // Prepare sets it when the body omits it
	}
	api, err := resource.New(resource.Config{}, resource.Of[User]{}, resource.Of[Treasure]{
		Prepare: func(_ context.Context, _ *operation.Request, treasure *Treasure) error {
			treasure.Owner = 1
			return nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	returns(t, api, "POST /api/users", `{}`, `201 {"id":1}`)
	returns(t, api, "POST /api/treasures", `{}`, `201 {"id":1,"owner":"/api/users/1"}`)
}

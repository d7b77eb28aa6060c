package hal_test

import (
	"testing"

	"github.com/trove-api/trove/format/hal"
	"github.com/trove-api/trove/resource"
)

func TestARelationOfTheEntryPointIsAwareOfAcronyms(t *testing.T) {
	t.Parallel()
	type APIToken struct {
		ID int64 `json:"id"`
	}
	type OAuthClient struct {
		ID int64 `json:"id"`
	}
	c := newClient(t, hal.Format, resource.Config{}, resource.Of[APIToken]{}, resource.Of[OAuthClient]{})
	c.Send("GET /api", "", "Accept", hal.MediaType).Mentions(200, `"apiToken":{"href":"/api/api_tokens"}`).Mentions(200, `"oAuthClient":{"href":`)
}

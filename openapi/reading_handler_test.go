package openapi_test

import (
	"context"
	"strings"
	"testing"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
)

func TestTheDocumentShowsReadOnAReadingHandler(t *testing.T) {
	t.Parallel()
	type keeper struct{ ID int64 }
	type report struct {
		ID int64 `json:"id"`
	}
	type stats struct {
		Reports int `json:"reports"`
	}
	token := access.Bearer("token", func(context.Context, string) (*keeper, access.Scopes, error) { return nil, nil, access.ErrCredentials })
	count := func(context.Context, *report, struct{}) (stats, error) { return stats{}, nil }
	api, err := resource.New(resource.Config{Authentication: []access.Scheme{token}}, resource.Of[report]{
		ShortName:  "Report",
		Access:     access.Rules{Read: access.All(access.Authenticated, access.Scope("stats")), Create: access.Public},
		Operations: []operation.Operation{operation.Get{Name: "stats", URITemplate: "/reports/stats", Handler: operation.Handle(count)}},
	})
	if err != nil {
		t.Fatal(err)
	}
	doc, err := openapi.Document(api, openapi.Config{Title: "Reports", Version: "1"})
	if err != nil {
		t.Fatal(err)
	}
	op := doc.Paths.Value("/api/reports/stats").Get
	if op.Security == nil || len(*op.Security) != 1 || (*op.Security)[0]["token"] == nil {
		t.Errorf("security is %v, want the scheme and no anonymous access", op.Security)
	}
	for _, status := range []int{401, 403} {
		if op.Responses.Status(status) == nil {
			t.Errorf("there is no response %d", status)
		}
	}
	if !strings.Contains(op.Description, "Access: any authenticated caller and scope stats") {
		t.Errorf("the description names no rule: %q", op.Description)
	}
}

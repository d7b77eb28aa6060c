package openapi_test

import (
	"context"
	"slices"
	"testing"

	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
)

// Pontoon is a pontoon in a port: the service sets the port, and the client chooses the number.
type Pontoon struct {
	Port   string `json:"port" api:"id,readonly,filter"`
	Number int64  `json:"number" api:"id" validate:"gt=0"`
	Depth  int    `json:"depth" validate:"gte=0,lte=99"`
}

// Plank is a plank of a jetty, which the path of its Post names.
type Plank struct {
	Jetty  int64 `json:"jetty" api:"id,readonly,ref=Jetty"`
	Number int64 `json:"number" api:"id" validate:"gt=0"`
	Length int   `json:"length" validate:"gte=0,lte=99"`
}

// pontoons are below nothing, and planks below their jetty.
var pontoons = []resource.Declaration{
	resource.Of[Jetty]{},
	resource.Of[Plank]{Path: "/jetties/{jetty}/planks"},
	resource.Of[Pontoon]{Prepare: func(_ context.Context, _ *operation.Request, p *Pontoon) error {
		p.Port = "Oslo"
		return nil
	}},
}

func TestAReadonlyPartOfAnIdentifierIsNotRequired(t *testing.T) {
	t.Parallel()
	doc, err := openapi.Document(newAPI(t, configuration{declarations: pontoons}), openapi.Config{Title: "Port", Version: "1"})
	if err != nil {
		t.Fatal(err)
	}
	for path, part := range map[string]string{"/api/pontoons": "port", "/api/jetties/{jetty}/planks": "jetty"} {
		body := doc.Paths.Value(path).Post.RequestBody.Value.Content["application/json"].Schema.Value
		if !body.Properties[part].Value.ReadOnly || slices.Contains(body.Required, part) || !slices.Contains(body.Required, "number") {
			t.Errorf("the body of %s requires %v, and readOnly of %s is %t", path, body.Required, part, body.Properties[part].Value.ReadOnly)
		}
	}
}

package openapi_test

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
)

// Berth is a place in a port, which both name it together.
type Berth struct {
	PortID int64  `json:"port" api:"id,ref=Port,expand,filter"`
	Label  string `json:"label" api:"id" validate:"max=9"`
	Depth  int    `json:"depth" validate:"gte=0,lte=99" api:"sort"`
}

type Port struct {
	ID   int64  `json:"id"`
	Name string `json:"name" validate:"max=40"`
}

var berths = resource.Of[Berth]{SparseFields: true, Operations: []operation.Operation{
	operation.Get{},
	operation.GetCollection{},
	operation.Post{},
	operation.Put{AllowCreate: true},
	operation.Patch{},
	operation.Delete{},
	operation.GetCollection{URITemplate: "/ports/{port}/berths"},
	operation.Post{URITemplate: "/ports/{port}/berths"},
	operation.Get{Name: "moored", URITemplate: "/ports/{port}/berths/{label}"},
}}

func TestTheDocumentOfSeveralIdentifiers(t *testing.T) {
	t.Parallel()
	api := declared(t, resource.Config{References: resource.Identifiers}, berths, resource.Of[Port]{})
	doc := documented(t, api, openapi.Config{Title: "Port", Version: "1"})
	item := doc.Paths.Value("/api/berths/{port};{label}")
	if item == nil || item.Get == nil || item.Put == nil || item.Patch == nil || item.Delete == nil {
		t.Fatalf("the paths are %v", doc.Paths.InMatchingOrder())
	}
	if names := item.Get.Parameters; len(names) < 2 || names[0].Value.Name != "port" || !names[0].Value.Schema.Value.Type.Is("integer") ||
		names[1].Value.Name != "label" || !names[1].Value.Schema.Value.Type.Is("string") {
		t.Errorf("the parameters are %v", names)
	}
	created := doc.Paths.Value("/api/berths").Post.Responses.Value("201").Value
	if link := created.Links["getBerth"]; link == nil || link.Value.Parameters["port"] != "$response.body#/port" || link.Value.Parameters["label"] != "$response.body#/label" {
		t.Errorf("the links are %v", created.Links)
	}
	if example := created.Headers["Location"].Value.Example; example != "/api/berths/1;"+item.Get.Parameters[1].Value.Example.(string) {
		t.Errorf("the example of Location is %v", example)
	}
	if status := send(t, api, http.MethodPost, "/api/ports", `{"name":"Kiel"}`).Code; status != http.StatusCreated {
		t.Errorf("the Post of a port returns %d", status)
	}
	if at := send(t, api, http.MethodPost, "/api/berths", `{"port":1,"label":"a;b","depth":3}`).Header().Get("Location"); get(t, api, at).Code != http.StatusOK {
		t.Errorf("nothing is at %s", at)
	}
}

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
	doc := documented(t, declared(t, resource.Config{}, pontoons...), openapi.Config{Title: "Port", Version: "1"})
	for path, part := range map[string]string{"/api/pontoons": "port", "/api/jetties/{jetty}/planks": "jetty"} {
		body := doc.Paths.Value(path).Post.RequestBody.Value.Content["application/json"].Schema.Value
		if !body.Properties[part].Value.ReadOnly || slices.Contains(body.Required, part) || !slices.Contains(body.Required, "number") {
			t.Errorf("the body of %s requires %v, and readOnly of %s is %t", path, body.Required, part, body.Properties[part].Value.ReadOnly)
		}
	}
}

// Rigging is how a hull is rigged.
type Rigging string

type Hull struct {
	ID      int64     `json:"id"`
	Rigging Rigging   `json:"rigging" api:"ref=Rigging,expand,filter"`
	Former  *Rigging  `json:"former" api:"ref=Rigging"`
	Fits    []Rigging `json:"fits" validate:"max=2" api:"ref=Rigging,expand"`
}

var riggings = resource.Enum[Rigging]{Values: []Rigging{"sloop", "full rigged"}, Descriptions: map[Rigging]string{"sloop": "One mast."}}

func TestTheDocumentListsTheValuesOfAnEnumeration(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		references resource.References
		want       []string
	}{
		{resource.Paths, []string{
			`"enum":["sloop","full rigged"]`, `"enum":["/api/riggings/sloop","/api/riggings/full%20rigged"]`,
		}},
		{resource.Identifiers, []string{`"enum":["sloop","full rigged",null]`}},
	} {
		api := declared(t, resource.Config{References: test.references}, resource.Of[Hull]{}, riggings)
		document := documented(t, api, openapi.Config{Title: "Harbour", Version: "1"})
		text, err := document.MarshalJSON()
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range test.want {
			if !strings.Contains(string(text), want) {
				t.Errorf("the document has no %s", want)
			}
		}
		if t.Failed() {
			t.Log(string(text))
		}
	}
}

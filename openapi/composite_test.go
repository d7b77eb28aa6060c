package openapi_test

import (
	"net/http"
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
	api, err := resource.New(resource.Config{References: resource.Identifiers}, berths, resource.Of[Port]{})
	if err != nil {
		t.Fatal(err)
	}
	doc, err := openapi.Document(api, openapi.Config{Title: "Port", Version: "1"})
	if err != nil {
		t.Fatal(err)
	}
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
		t.Errorf("a port is answered %d", status)
	}
	if at := send(t, api, http.MethodPost, "/api/berths", `{"port":1,"label":"a;b","depth":3}`).Header().Get("Location"); get(t, api, at).Code != http.StatusOK {
		t.Errorf("nothing is at %s", at)
	}
}

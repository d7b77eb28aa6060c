package jsonld_test

import (
	"encoding/json"
	"testing"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/format/jsonld"
	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
)

// account has a password, which a body must have that creates one.
type account struct {
	ID       int64  `json:"id"`
	Name     string `json:"name" validate:"required"`
	Password string `json:"password" validate:"required,min=8" api:"writeonly"`
}

// hydraClass is a class of the documentation.
type hydraClass struct {
	SubClassOf string `json:"subClassOf"`
	Properties []struct {
		Title     string `json:"title"`
		Required  bool   `json:"required"`
		Writeable bool   `json:"writeable"`
		Property  any    `json:"property"`
	} `json:"supportedProperty"`
	Operations []hydraMethod `json:"supportedOperation"`
}

type hydraMethod struct {
	Method  string `json:"method"`
	Expects string `json:"expects"`
}

// hydraOf returns the classes of the documentation, and what the collection of accounts supports.
func hydraOf(t *testing.T, declaration resource.Declaration) (classes map[string]hydraClass, ofCollection []hydraMethod) {
	t.Helper()
	api := spec.NewAPI(t, resource.Config{Formats: append(format.Standard(), jsonld.Format)}, declaration)
	var said struct {
		Classes []json.RawMessage `json:"supportedClass"`
	}
	if err := json.Unmarshal([]byte(send(t, api, "GET /api/docs.jsonld", "").hasStatus(200).body), &said); err != nil {
		t.Fatal(err)
	}
	classes = map[string]hydraClass{}
	for _, text := range said.Classes {
		var id struct {
			ID         string `json:"@id"`
			Properties []struct {
				Property struct {
					Operations []hydraMethod `json:"supportedOperation"`
				} `json:"property"`
			} `json:"supportedProperty"`
		}
		var class hydraClass
		if err := json.Unmarshal(text, &class); err != nil {
			t.Fatal(err)
		}
		if _ = json.Unmarshal(text, &id); id.ID == "#Entrypoint" {
			ofCollection = id.Properties[0].Property.Operations
		}
		classes[id.ID] = class
	}
	return classes, ofCollection
}

// required lists the fields that a class requires.
func (c hydraClass) required() string {
	list := ""
	for _, p := range c.Properties {
		if p.Required {
			list += p.Title + " "
		}
	}
	return list
}

func TestAClassRequiresNoSecretThatAChangeMayOmit(t *testing.T) {
	t.Parallel()
	classes, collection := hydraOf(t, resource.Of[account]{ShortName: "Account"})
	if got := classes["#Account"].required(); got != "name " {
		t.Errorf("the class requires %q", got)
	}
	if made := classes["#createAccount"]; made.required() != "password " || made.SubClassOf != "#Account" {
		t.Errorf("the class of the body that creates an account is %+v", made)
	}
	for _, op := range append(collection, classes["#Account"].Operations...) {
		want := map[string]string{"POST": "#createAccount", "PUT": "#Account", "PATCH": "#Account"}[op.Method]
		if op.Expects != want {
			t.Errorf("%s expects %q, want %q", op.Method, op.Expects, want)
		}
	}
}

func TestASecretThatEachBodyMustHaveIsRequired(t *testing.T) {
	t.Parallel()
	classes, _ := hydraOf(t, resource.Of[account]{ShortName: "Account", Operations: []operation.Operation{operation.Post{}, operation.Get{}, operation.GetCollection{}}})
	if got := classes["#Account"].required(); got != "name password " {
		t.Errorf("the class requires %q", got)
	}
	if _, is := classes["#createAccount"]; is {
		t.Error("the body that creates an account has a class of its own")
	}
}

package reference_test

import (
	"context"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/google/uuid"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/format/csv"
	"github.com/trove-api/trove/format/hal"
	"github.com/trove-api/trove/format/jsonapi"
	"github.com/trove-api/trove/format/jsonld"
	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/validation"
)

var documents = flag.String("documents", "", "write the documents of an API with everything into this folder, for generators of clients")

// kinds has a field of each kind.
type kinds struct {
	ID      uuid.UUID       `json:"id" api:"id"`
	Bool    bool            `json:"bool" api:"filter"`
	Int     int             `json:"int" api:"filter=range,sort" validate:"gte=-5,lt=100"`
	Int8    int8            `json:"int8"`
	Int16   int16           `json:"int16"`
	Int32   int32           `json:"int32"`
	Int64   int64           `json:"int64" default:"7"`
	Uint    uint            `json:"uint"`
	Uint8   uint8           `json:"uint8"`
	Uint16  uint16          `json:"uint16"`
	Uint32  uint32          `json:"uint32"`
	Uint64  uint64          `json:"uint64" api:"filter"`
	Float32 float32         `json:"float32"`
	Float64 float64         `json:"float64" api:"filter=range" validate:"gt=0,lte=1.5"`
	Text    string          `json:"text" validate:"notblank,max=50" api:"filter=partial,sort,search" example:"Dune"`
	Choice  string          `json:"choice" validate:"oneof=red green 'light blue'" api:"filter"`
	Bytes   []byte          `json:"bytes"`
	Time    time.Time       `json:"time" api:"filter=range,sort"`
	UUID    uuid.UUID       `json:"uuid"`
	Raw     json.RawMessage `json:"raw"`
	Any     any             `json:"any"`
	Free    map[string]any  `json:"free"`

	BoolOrNull   *bool            `json:"boolOrNull" api:"filter=exists"`
	IntOrNull    *int             `json:"intOrNull" validate:"omitempty,oneof=1 2 3"`
	FloatOrNull  *float64         `json:"floatOrNull" validate:"omitempty,gt=0"`
	TextOrNull   *string          `json:"textOrNull" validate:"omitempty,max=5"`
	ChoiceOrNull *string          `json:"choiceOrNull" validate:"omitempty,oneof=a b" api:"filter"`
	EitherOrNull *string          `json:"eitherOrNull" validate:"omitempty,email|e164"`
	BytesOrNull  *[]byte          `json:"bytesOrNull"`
	TimeOrNull   *time.Time       `json:"timeOrNull" api:"filter=range"`
	UUIDOrNull   *uuid.UUID       `json:"uuidOrNull"`
	RawOrNull    *json.RawMessage `json:"rawOrNull"`

	Nested       nested            `json:"nested"`
	NestedOrNull *nested           `json:"nestedOrNull"`
	Strings      []string          `json:"strings" validate:"max=3,dive,notblank" api:"filter=contains"`
	Integers     []int             `json:"integers" validate:"unique"`
	Nulls        []*int            `json:"nulls"`
	Three        [3]int            `json:"three"`
	Lists        [][]string        `json:"lists"`
	List         []nested          `json:"list"`
	Counts       map[string]int    `json:"counts" validate:"dive,keys,lowercase,endkeys,gte=0"`
	Entries      map[string]nested `json:"entries"`
	Tree         *tree             `json:"tree"`

	Secret  string `json:"secret" api:"writeonly"`
	Stamp   string `json:"stamp" api:"readonly"`
	Once    string `json:"once" api:"createonly"`
	Unnamed string

	Parent  *uuid.UUID  `json:"parent" api:"ref=Kinds,expand,filter,through=text|time|nested.since"`
	Owner   int64       `json:"owner" api:"ref=Owner,expand,filter,through=name|since"`
	Heir    *int64      `json:"heir" api:"ref=Owner,expand,filter,ondelete=null"`
	Tags    []string    `json:"tags" validate:"max=20" api:"ref=Tag,expand,filter,through=label"`
	Friends []uuid.UUID `json:"friends" validate:"max=5" api:"ref=Kinds,expand"`
	Status  status      `json:"status" api:"ref=Status,filter,expand"`
	Earlier *status     `json:"earlier" api:"ref=Status"`
	Line    lineKey     `json:"line" api:"ref=Line,expand,filter,through=product"`
	LineToo *lineKey    `json:"lineToo" api:"ref=Line"`
}

type nested struct {
	City  string    `json:"city" validate:"notblank" api:"filter,sort"`
	Since time.Time `json:"since" api:"filter=range"`
	Inner struct {
		Lat float64 `json:"lat" validate:"latitude"`
		Lng float64 `json:"lng" validate:"longitude"`
	} `json:"inner"`
}

// tree is a struct that contains itself.
type tree struct {
	Name     string           `json:"name" validate:"required"`
	Left     *tree            `json:"left"`
	Children []tree           `json:"children"`
	Named    map[string]*tree `json:"named"`
}

type owner struct {
	ID    int64     `json:"id"`
	Name  string    `json:"name" validate:"notblank" api:"unique,filter=partial,sort"`
	Since time.Time `json:"since" api:"readonly,filter=range"`
}

// tag has an identifier that clients set.
type tag struct {
	ID    string  `json:"id" validate:"notblank,max=20"`
	Label *string `json:"label" api:"filter"`
}

type status string

// line is identified by two fields.
type line struct {
	Owner   int64   `json:"owner" api:"id,ref=Owner,filter"`
	Line    int32   `json:"line" api:"id"`
	Product *string `json:"product" api:"filter,search"`
}

type lineKey struct {
	Owner int64 `json:"owner"`
	Line  int32 `json:"line"`
}

type discount struct {
	Percent int       `json:"percent" validate:"gte=1,lte=100"`
	Until   time.Time `json:"until"`
	Note    *string   `json:"note"`
}

type receipt struct {
	Paid  float64 `json:"paid"`
	Lines []line  `json:"lines"`
}

// everything declares resources with each rule, each kind of field, each kind of reference and each kind of operation.
func everything() []resource.Declaration {
	return []resource.Declaration{
		resource.Of[first]{ShortName: "First"},
		resource.Of[second]{ShortName: "Second", Errors: validation.Problem},
		resource.Of[kinds]{
			ShortName: "Kinds", Path: "/kinds", SparseFields: true,
			Computed: []operation.Computed{
				operation.Compute("isNew", "Whether it is new.", func(context.Context, *kinds) (bool, error) { return true, nil }),
				operation.Compute("last", "The last change.", func(context.Context, *kinds) (*time.Time, error) { return nil, nil }),
			},
			Operations: append(operation.Standard(),
				operation.GetCollection{Name: "cards", URITemplate: "/cards", View: &operation.View{Name: "Card", Fields: []string{"id", "text", "owner", "owner.name", "nested"}}},
				operation.Post{Name: "discount", URITemplate: "/kinds/{id}/discount", Handler: operation.Handle(func(context.Context, *kinds, discount) (receipt, error) { return receipt{}, nil })},
				operation.Post{Name: "import", URITemplate: "/kinds/import", Handler: operation.Handle(func(context.Context, *kinds, []operation.CreateOf[kinds]) ([]kinds, error) { return nil, nil })},
				operation.Post{Name: "ping", URITemplate: "/ping", Handler: operation.Handle(func(context.Context, *kinds, struct{}) (struct{}, error) { return struct{}{}, nil })},
				operation.GetCollection{URITemplate: "/owners/{owner}/kinds"},
				operation.Post{URITemplate: "/owners/{owner}/kinds"},
				operation.Put{URITemplate: "/kinds/{id}/tags/{tags}"},
				operation.Delete{URITemplate: "/kinds/{id}/tags/{tags}"},
			),
		},
		resource.Of[owner]{ShortName: "Owner", Inverse: map[string]string{"kinds": "Kinds.owner"}},
		resource.Of[tag]{ShortName: "Tag", Operations: []operation.Operation{
			operation.Get{}, operation.GetCollection{}, operation.Post{}, operation.Put{AllowCreate: true, ExtraProperties: map[string]any{"standard_put": true}}, operation.Patch{}, operation.Delete{},
		}},
		resource.Of[line]{ShortName: "Line"},
		resource.Enum[status]{ShortName: "Status", Values: []status{"draft", "paid", "sent"}},
	}
}

// TestDocumentsOfEverythingAreValid writes the documents from which .ci/clients generates clients, if it is called so.
func TestDocumentsOfEverythingAreValid(t *testing.T) {
	t.Parallel()
	formats := append(format.Standard(), jsonld.Format, hal.Format, jsonapi.Format, csv.Format)
	api, err := resource.New(resource.Config{Formats: formats}, everything()...)
	if err != nil {
		t.Fatal(err)
	}
	for version, name := range map[string]string{"3.1": "everything.json", "3.0": "everything-3.0.json"} {
		document, err := openapi.Document(api, openapi.Config{Title: "Everything", Version: "1.0.0", OpenAPI: version})
		if err != nil {
			t.Fatal(err)
		}
		text, err := document.MarshalJSON()
		if err != nil {
			t.Fatal(err)
		}
		loaded, err := openapi3.NewLoader().LoadFromData(text)
		if err == nil {
			err = loaded.Validate(t.Context(), openapi3.DisableExamplesValidation())
		}
		if err != nil {
			t.Errorf("the document in the form of %s: %v", version, err)
		}
		if *documents != "" {
			if err := os.WriteFile(filepath.Join(*documents, name), text, 0o600); err != nil {
				t.Error(err)
			}
		}
	}
}

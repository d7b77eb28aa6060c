package reference_test

import (
	"net/http"
	"reflect"
	"slices"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/resource"
)

// shapes has a field for each row of the table of required fields.
type shapes struct {
	Code     string   `json:"code" api:"id"`
	Title    string   `json:"title" validate:"required"`
	Name     string   `json:"name" validate:"notblank"`
	Pages    int      `json:"pages" validate:"gte=1"`
	Year     int      `json:"year" validate:"gte=0"`
	Price    *float64 `json:"price" validate:"omitempty,gt=0"`
	Note     string   `json:"note"`
	Colour   string   `json:"colour" default:"red"`
	Subtitle *string  `json:"subtitle"`
	Owner    *string  `json:"owner" validate:"required"`
	Remark   string   `json:"remark,omitempty"`
	Tags     []string `json:"tags"`
	Added    string   `json:"added" api:"readonly"`
	Password string   `json:"password" validate:"required" api:"writeonly"`
}

// requiredTable lists fields, and whether requests and responses must have them.
func requiredTable(t *testing.T) string {
	t.Helper()
	api, err := resource.New(resource.Config{}, resource.Of[shapes]{ShortName: "Shape"})
	if err != nil {
		t.Fatal(err)
	}
	document, err := openapi.Document(api, openapi.Config{})
	if err != nil {
		t.Fatal(err)
	}
	item := document.Paths.Value("/api/shapes/{code}")
	post := document.Paths.Value("/api/shapes").Post.RequestBody.Value.Content.Get("application/json").Schema.Value
	patch := item.Patch.RequestBody.Value.Content.Get("application/merge-patch+json").Schema.Value
	read := item.Get.Responses.Status(http.StatusOK).Value.Content.Get("application/json").Schema.Value
	var rows [][]string
	for field := range reflect.TypeFor[shapes]().Fields() {
		name := field.Tag.Get("json")
		if remaining := len(name) - len(",omitempty"); remaining > 0 && name[remaining:] == ",omitempty" {
			name = name[:remaining]
		}
		rows = append(rows, []string{
			code(field.Name + " " + field.Type.String() + " `" + string(field.Tag) + "`"),
			presence(post, name), presence(patch, name), presence(read, name),
		})
	}
	return table([]string{"Field", "Post", "Put, Patch", "Response"}, rows)
}

// presence returns what a schema requires of a property.
func presence(schema *openapi3.Schema, name string) string {
	property := schema.Properties[name]
	switch {
	case property == nil:
		return "absent"
	case property.Value.ReadOnly && len(property.Value.Required) == 0 && !slices.Contains(schema.Required, name):
		return "ignored"
	}
	text := "optional"
	if slices.Contains(schema.Required, name) {
		text = "required"
	}
	if property.Value.Type.Includes(openapi3.TypeNull) {
		text += ", may be null"
	}
	return text
}

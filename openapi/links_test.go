package openapi_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
)

// follow requests the target of a link of a response.
func follow(t *testing.T, api http.Handler, doc *openapi3.T, link *openapi3.Link, body map[string]any) int {
	t.Helper()
	for path, item := range doc.Paths.Map() {
		if item.Get == nil || item.Get.OperationID != link.OperationID {
			continue
		}
		for name, expression := range link.Parameters {
			member, ok := strings.CutPrefix(expression.(string), "$response.body#/")
			value, there := body[member]
			if !ok || !there || value == nil {
				t.Errorf("%s: %s is not in %v", link.OperationID, expression, body)
			}
			path = strings.ReplaceAll(path, "{"+strings.TrimPrefix(name, "path.")+"}", fmt.Sprint(value))
		}
		return get(t, api, path).Code
	}
	t.Fatalf("no operation is called %q", link.OperationID)
	return 0
}

func TestLinksLeadToRecordsAndCollections(t *testing.T) {
	t.Parallel()
	for name, references := range map[string]resource.References{"addresses": resource.Paths, "identifiers": resource.Identifiers} {
		for _, form := range []string{"3.1", "3.0"} {
			t.Run(name+" "+form, func(t *testing.T) {
				t.Parallel()
				api := newAPI(t, configuration{config: resource.Config{References: references}, declarations: fleet})
				doc, err := openapi.Document(api, openapi.Config{Title: "Fleet", Version: "1", OpenAPI: form})
				if err != nil {
					t.Fatal(err)
				}
				captain := `"/api/sailors/1"`
				if references == resource.Identifiers {
					captain = "1"
				}
				var followed []string
				for _, step := range []struct{ method, path, template, body string }{
					{"POST", "/api/sailors", "/api/sailors", `{"name":"Ann"}`},
					{"GET", "/api/sailors/1", "/api/sailors/{id}", ""},
					{"POST", "/api/sloops", "/api/sloops", `{"name":"S","captain":` + captain + `,"flags":[]}`},
					{"PATCH", "/api/sloops/1", "/api/sloops/{id}", `{"name":"T"}`},
					{"POST", "/api/sailors/1/sloops", "/api/sailors/{captain}/sloops", `{"name":"U","flags":[]}`},
				} {
					answer := send(t, api, step.method, step.path, step.body)
					var body map[string]any
					if err := json.Unmarshal(answer.Body.Bytes(), &body); err != nil {
						t.Fatal(err)
					}
					response := doc.Paths.Value(step.template).GetOperation(step.method).Responses.Value(strconv.Itoa(answer.Code))
					for _, link := range response.Value.Links {
						followed = append(followed, step.method+" "+link.Value.OperationID)
						if status := follow(t, api, doc, link.Value, body); status != http.StatusOK {
							t.Errorf("%s of %s %s is answered %d", link.Value.OperationID, step.method, step.path, status)
						}
					}
				}
				want := []string{"POST getSailor", "POST listSailorSloops", "GET listSailorSloops", "POST getSloop", "POST getSloop"}
				if references == resource.Identifiers {
					want = append(want, "POST getSailor", "PATCH getSailor", "POST getSailor")
				}
				if got := counted(followed); fmt.Sprint(got) != fmt.Sprint(counted(want)) {
					t.Errorf("links are %v, want %v", got, counted(want))
				}
			})
		}
	}
}

func counted(list []string) map[string]int {
	counts := map[string]int{}
	for _, each := range list {
		counts[each]++
	}
	return counts
}

func TestALinkHasTheNameThatAFunctionGivesItsOperation(t *testing.T) {
	t.Parallel()
	api, err := resource.New(resource.Config{}, resource.Of[Flag]{Operations: []operation.Operation{
		operation.Post{},
		operation.Get{},
	}}, resource.Of[Sailor]{Operations: []operation.Operation{operation.Post{}, operation.Get{Hidden: true}}})
	if err != nil {
		t.Fatal(err)
	}
	rename := map[string]func(*openapi3.Operation){"getFlag": func(op *openapi3.Operation) { op.OperationID = "flagOf" }}
	doc, err := openapi.Document(api, openapi.Config{Title: "Fleet", Version: "1", Operations: rename})
	if err != nil {
		t.Fatal(err)
	}
	links := doc.Paths.Value("/api/flags").Post.Responses.Value("201").Value.Links
	if link := links["getFlag"]; link == nil || link.Value.OperationID != "flagOf" {
		t.Errorf("the links are %v", links)
	}
	if links := doc.Paths.Value("/api/sailors").Post.Responses.Value("201").Value.Links; links != nil {
		t.Errorf("links lead to what is not documented: %v", links)
	}
}

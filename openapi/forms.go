package openapi

import (
	"cmp"
	"fmt"
	"net/http"
	"sync"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/trove-api/trove/internal/problem"
	"github.com/trove-api/trove/resource"
)

// forms are one document in the forms of both versions of OpenAPI.
type forms struct {
	usual   string // the version that is sent to who asks for none
	written documents
	other   func() (documents, error) // made once
}

// documents are a document in one form as it is served.
type documents struct{ json, yaml *content }

// newForms builds the document, and writes it in the form of the config. The other form
// is made of the same document: functions of the user's run once.
func newForms(api *resource.API, config Config) (*forms, error) {
	doc, order, err := document(api, config)
	if err != nil {
		return nil, err
	}
	usual, other := cmp.Or(config.OpenAPI, "3.1"), "3.0"
	if usual == other {
		other = "3.1"
	}
	written, err := order.documents(doc, usual)
	return &forms{
		usual: usual, written: written,
		other: sync.OnceValues(func() (documents, error) { return order.documents(doc, other) }),
	}, err
}

// documents writes a document in the form of a version.
func (o *order) documents(doc *openapi3.T, version string) (documents, error) {
	text, err := formOf(doc, version)
	if err != nil {
		return documents{}, fmt.Errorf("openapi: writing the document: %w", err)
	}
	asJSON, err := o.write(text)
	if err != nil {
		return documents{}, fmt.Errorf("openapi: writing the document: %w", err)
	}
	asYAML, err := toYAML(asJSON)
	if err != nil {
		return documents{}, fmt.Errorf("openapi: writing the document as YAML: %w", err)
	}
	return documents{newContent("application/json", asJSON), newContent("application/yaml", asYAML)}, nil
}

// formOf returns a document as JSON in the form of a version.
func formOf(doc *openapi3.T, version string) ([]byte, error) {
	if version != "3.0" {
		return doc.MarshalJSON()
	}
	_, text, err := form30(doc)
	return text, err
}

// serve sends one of the encodings in the form that is asked for.
func (f *forms) serve(encoding func(documents) *content) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch version := r.URL.Query().Get("version"); version {
		case "", f.usual:
			encoding(f.written).ServeHTTP(w, r)
		case "3.0", "3.1":
			other, err := f.other()
			if err != nil {
				problem.New(http.StatusInternalServerError, "").Write(w, r)
				return
			}
			encoding(other).ServeHTTP(w, r)
		default:
			problem.New(http.StatusBadRequest, "version must be 3.0 or 3.1.").Write(w, r)
		}
	})
}

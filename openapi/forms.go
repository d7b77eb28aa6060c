package openapi

import (
	"net/http"
	"sync"

	"github.com/trove-api/trove/internal/problem"
	"github.com/trove-api/trove/resource"
)

// forms are the document in the forms of both versions of OpenAPI.
type forms struct {
	usual   string // the version that is sent to who asks for none
	written documents
	other   func() (documents, error) // made once
}

func newForms(api *resource.API, config Config, written documents) *forms {
	usual, other := "3.1", config
	other.OpenAPI = "3.0"
	if config.OpenAPI == "3.0" {
		usual, other.OpenAPI = "3.0", "3.1"
	}
	return &forms{
		usual: usual, written: written,
		other: sync.OnceValues(func() (documents, error) { return write(api, other) }),
	}
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

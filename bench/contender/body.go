package contender

import (
	"encoding/json"
	"net/http"

	"github.com/trove-api/trove/bench/catalog"
)

// maxBody is the size in bytes up to which bodies are read.
const maxBody = 1 << 20

// problem is the body of an error response.
type problem struct {
	Type   string            `json:"type"`
	Title  string            `json:"title"`
	Status int               `json:"status"`
	Detail string            `json:"detail"`
	Errors map[string]string `json:"errors,omitempty"`
}

// read decodes the body, runs the hook and validates the result.
func (h *handlers) read(w http.ResponseWriter, r *http.Request, in *catalog.Input) error {
	decoder := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxBody))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(in); err != nil {
		return err
	}
	if h.hook != nil {
		if err := h.hook(r.Context(), r.PathValue("id"), in.Name, in.Category); err != nil {
			return err
		}
	}
	return h.validate.Struct(in)
}

func writeJSON(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body) //nolint:errchkjson // only a client that went away makes it fail
}

func writeProblem(w http.ResponseWriter, p *problem) {
	w.Header().Set("Content-Type", "application/problem+json")
	w.WriteHeader(p.Status)
	_ = json.NewEncoder(w).Encode(p) //nolint:errchkjson // as above
}

func notFound(w http.ResponseWriter) {
	writeProblem(w, newNotFound())
}

func badRequest(w http.ResponseWriter, err error) {
	writeProblem(w, newBadRequest(err))
}

func newNotFound() *problem {
	return &problem{Type: "about:blank", Title: "Not Found", Status: http.StatusNotFound, Detail: "The item does not exist."}
}

func newBadRequest(err error) *problem {
	p := &problem{Type: "about:blank", Title: "Bad Request", Status: http.StatusBadRequest}
	if p.Errors = failures(err); p.Errors == nil {
		p.Detail = err.Error()
	}
	return p
}

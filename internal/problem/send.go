package problem

import (
	"net/http"
	"strconv"
)

// Write sends the problem as the answer to r.
func (p *Problem) Write(w http.ResponseWriter, r *http.Request) {
	for i := 0; i+1 < len(p.Header); i += 2 {
		w.Header().Set(p.Header[i], p.Header[i+1])
	}
	Send(w, r, p.Status, p.Append(nil))
}

// Send sends a body that is a problem already.
func Send(w http.ResponseWriter, r *http.Request, status int, body []byte) {
	header := w.Header()
	header.Set("Content-Type", MediaType)
	header.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		_, _ = w.Write(body) // the client may be gone, which is nobody's fault
	}
}

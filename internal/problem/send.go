package problem

import (
	"net/http"
	"strconv"
)

// Write sends the problem as the answer to r.
func (p *Problem) Write(w http.ResponseWriter, r *http.Request) {
	p.SetHeader(w.Header())
	body := p.Append(nil)
	Send(w, r, p.Status, Body{Text: body, Length: []string{strconv.Itoa(len(body))}})
}

// SetHeader sets the further header fields, in place of what middleware may have set. Lines of
// one field stand one behind the other.
// Lines of one field stand together in the list, so that only the first of them takes the place of
// what was there.
func (p *Problem) SetHeader(header http.Header) {
	for i := 0; i+1 < len(p.Header); i += 2 {
		if i > 0 && p.Header[i-2] == p.Header[i] {
			header.Add(p.Header[i], p.Header[i+1])
			continue
		}
		header.Set(p.Header[i], p.Header[i+1])
	}
}

// Values of fields that all problems share, and nobody changes: as slices of arrays they take
// no memory for each answer.
var (
	mediaType = [...]string{MediaType}
	noSniff   = [...]string{"nosniff"}
	noStore   = [...]string{"no-store"}
)

// Body is a refusal as it is sent, with the two fields that tell of it.
// The values of fields are slices that the header takes as they are: no memory for each refusal.
type Body struct {
	Text   []byte
	Type   []string // Content-Type; nil for that of problems
	Length []string // Content-Length
}

// Send sends a body that is a refusal already, and returns how many bytes of it went out.
func Send(w http.ResponseWriter, r *http.Request, status int, body Body) int64 {
	header := w.Header()
	if body.Type == nil {
		body.Type = mediaType[:]
	}
	header["Content-Type"] = body.Type
	header["X-Content-Type-Options"] = noSniff[:]
	header["Content-Length"] = body.Length
	header["Cache-Control"] = noStore[:] // whatever the resource or a middleware has set
	w.WriteHeader(status)
	if r.Method == http.MethodHead {
		return 0
	}
	n, _ := w.Write(body.Text) // the client may be gone, which is nobody's fault
	return int64(n)
}

// NoStoreErrors returns a writer that sets Cache-Control to no-store when the status is an error. It is for
// http.ServeContent, which writes its own errors with the header fields of the content.
func NoStoreErrors(w http.ResponseWriter) http.ResponseWriter { return errorWriter{w} }

// errorWriter is what NoStoreErrors returns.
type errorWriter struct{ http.ResponseWriter }

func (w errorWriter) WriteHeader(status int) {
	if status >= http.StatusBadRequest {
		w.Header()["Cache-Control"] = noStore[:]
	}
	w.ResponseWriter.WriteHeader(status)
}

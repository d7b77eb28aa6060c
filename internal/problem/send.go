package problem

import (
	"net/http"
	"strconv"
)

// Write sends the problem as the answer to r.
func (p *Problem) Write(w http.ResponseWriter, r *http.Request) {
	p.SetHeader(w.Header())
	body := p.Append(nil)
	Send(w, r, p.Status, nil, body, []string{strconv.Itoa(len(body))})
}

// SetHeader sets the further header fields, in place of what middleware may have set. Lines of
// one field stand one behind the other.
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
)

// Send sends a body that is a refusal already, of a media type and a length, and returns how
// many bytes of it went out. A nil media type is that of problems.
func Send(w http.ResponseWriter, r *http.Request, status int, types []string, body []byte, length []string) int64 {
	header := w.Header()
	if types == nil {
		types = mediaType[:]
	}
	header["Content-Type"] = types
	header["X-Content-Type-Options"] = noSniff[:]
	header["Content-Length"] = length
	w.WriteHeader(status)
	if r.Method == http.MethodHead {
		return 0
	}
	n, _ := w.Write(body) // the client may be gone, which is nobody's fault
	return int64(n)
}

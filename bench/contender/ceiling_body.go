package contender

import (
	"net/http"
	"strconv"

	"github.com/trove-api/trove/bench/catalog"
)

// buffer is a reused byte slice.
type buffer struct{ text []byte }

func (h *ceiling) buffer() *buffer {
	b := h.buffers.Get().(*buffer)
	b.text = b.text[:0]
	return b
}

// read decodes the body and checks it.
func (h *ceiling) read(w http.ResponseWriter, r *http.Request, in *catalog.Input) failed {
	b := h.buffer()
	defer h.buffers.Put(b)
	body := http.MaxBytesReader(w, r.Body, maxBody)
	for {
		if len(b.text) == cap(b.text) {
			b.text = append(b.text, 0)[:len(b.text)]
		}
		n, err := body.Read(b.text[len(b.text):cap(b.text)])
		b.text = b.text[:len(b.text)+n]
		if err != nil { // io.EOF, or a body cut short, which does not decode
			break
		}
	}
	if err := decodeInput(string(b.text), in); err != nil {
		return failed{{"body", err.Error()}}
	}
	return broken(in)
}

// The header fields. They are created once and never changed.
var (
	jsonType    = []string{"application/json"}
	problemType = []string{"application/problem+json"}
)

func (h *ceiling) writeItem(w http.ResponseWriter, status int, item *catalog.Item) {
	b := h.buffer()
	b.text = appendItem(b.text, item)
	h.send(w, status, b)
}

func (h *ceiling) send(w http.ResponseWriter, status int, b *buffer) {
	w.Header()["Content-Type"] = jsonType
	w.WriteHeader(status)
	_, _ = w.Write(b.text) // fails if the client has gone away
	h.buffers.Put(b)
}

func (h *ceiling) refuse(w http.ResponseWriter, status int, broken failed) {
	b := h.buffer()
	b.text = append(b.text, `{"type":"about:blank","title":"`...)
	b.text = append(b.text, http.StatusText(status)...)
	b.text = append(b.text, `","status":`...)
	b.text = strconv.AppendInt(b.text, int64(status), 10)
	if broken != nil {
		b.text = append(b.text, `,"errors":{`...)
		for i, failure := range broken {
			if i > 0 {
				b.text = append(b.text, ',')
			}
			b.text = appendString(b.text, failure.member)
			b.text = append(b.text, ':')
			b.text = appendString(b.text, failure.message)
		}
		b.text = append(b.text, '}')
	}
	b.text = append(b.text, '}')
	w.Header()["Content-Type"] = problemType
	w.WriteHeader(status)
	_, _ = w.Write(b.text) // fails if the client has gone away
	h.buffers.Put(b)
}

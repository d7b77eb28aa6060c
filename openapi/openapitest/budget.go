package openapitest

import (
	"mime"
	"net/http"
	"net/http/httptest"
)

// What an answer may cost.
const (
	allowance    = 128 << 10 // bytes that any answer may have
	refusalRatio = 4         // bytes of a refusal for one of its request
	answerRatio  = 64        // bytes of another answer for one of the largest request that was taken
	listRatio    = 16        // the same of a collection, for one of all requests that were taken
)

// metered counts what is sent to a handler, and measures how long it takes.
func (c *conformity) metered(handler http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		size, began := sizeOf(r), c.now()
		handler.ServeHTTP(w, r)
		c.took = c.now().Sub(began)
		if answer, ok := w.(*httptest.ResponseRecorder); ok && answer.Code < http.StatusMultipleChoices {
			c.bytes, c.largest = c.bytes+size, max(c.largest, size) // what was refused is not kept
		}
	})
}

// sizeOf is how many bytes of a request a service may repeat.
func sizeOf(r *http.Request) int {
	size := len(r.URL.RequestURI())
	for _, values := range r.Header {
		for _, value := range values {
			size += len(value)
		}
	}
	return size + int(max(r.ContentLength, 0))
}

// measure compares what an answer costs with what was sent.
func (c *conformity) measure(op operation, r request, w *httptest.ResponseRecorder) {
	most := allowance + max(answerRatio*c.largest, listRatio*c.bytes)
	if op.isItem() || op.method != "get" {
		most = allowance + answerRatio*c.largest
	}
	if w.Code >= http.StatusBadRequest {
		most = allowance + refusalRatio*(len(r.body)+len(r.path)+len(r.query.Encode()))
	}
	if w.Body.Len() > most && !isWhole(w) {
		c.fail(op, "answers with more bytes than its request is worth", r, w)
	}
	if c.took > c.limit {
		c.fail(op, "takes longer than "+c.limit.String(), r, w)
	}
}

// isWhole reports whether an answer is in a format that has no pages: what was there before is in it, too.
func isWhole(w *httptest.ResponseRecorder) bool {
	mediaType, _, _ := mime.ParseMediaType(w.Header().Get("Content-Type"))
	return w.Code < http.StatusBadRequest && (mediaType == "application/x-ndjson" || mediaType == "text/csv")
}

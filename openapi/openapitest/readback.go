package openapitest

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strconv"
	"strings"
)

// readBack compares the answer to a write with the next Get of its record, where the
// document has both of one schema.
func (c *conformity) readBack(op operation, r request, w *httptest.ResponseRecorder) {
	if op.method == "get" || op.method == "delete" || w.Code >= http.StatusMultipleChoices || len(r.query) > 0 {
		return
	}
	path := w.Header().Get("Location")
	if op.isItem() && path == "" {
		path = r.path
	}
	get, ok := c.document.find(http.MethodGet, path)
	if !ok || path == "" || !get.isItem() || get.answers("200") != op.answers(strconv.Itoa(w.Code)) || get.answers("200") == "" {
		return
	}
	read := request{method: http.MethodGet, path: path, header: c.caller.header}
	if accepted := r.header.Get("Accept"); accepted != "" {
		read = read.asking("header", "Accept", accepted) // what is compared is of one format
	}
	next := read.send(c.t.Context(), c.handler)
	c.measure(get, read, next)
	if next.Code != http.StatusOK {
		isHidden := get.tells(http.StatusUnauthorized) || get.tells(http.StatusForbidden) // who may write need not see
		if next.Code >= http.StatusInternalServerError || next.Code == http.StatusNotFound && !isHidden {
			c.fail(op, "saves what the next Get does not answer", r, next)
		}
		return
	}
	tag, nextTag := w.Header().Get("ETag"), next.Header().Get("ETag")
	isSame := sameJSON(w.Body.Bytes(), next.Body.Bytes())
	if isSame && (tag == "" || tag == nextTag) {
		return
	}
	again := read.send(c.t.Context(), c.handler)
	if !bytes.Equal(again.Body.Bytes(), next.Body.Bytes()) {
		return // it changes by itself
	}
	if !isSame {
		c.fail(op, "answers otherwise than the next Get", r, w)
	} else {
		c.fail(op, "answers with an ETag that is not that of the next Get", r, w)
	}
}

// answers returns the reference to the schema of an answer's JSON body, "" for none.
func (o operation) answers(status string) string {
	responses, _ := o.object["responses"].(object)
	content, _ := o.document.resolve(responses[status])["content"].(object)
	media, _ := content["application/json"].(object)
	schema, _ := media["schema"].(object)
	reference, _ := schema["$ref"].(string)
	return reference
}

func sameJSON(a, b []byte) bool {
	if bytes.Equal(bytes.TrimSpace(a), bytes.TrimSpace(b)) {
		return true
	}
	var one, other any
	read := func(text []byte, into *any) error {
		decoder := json.NewDecoder(strings.NewReader(string(text)))
		decoder.UseNumber()
		return decoder.Decode(into)
	}
	return read(a, &one) == nil && read(b, &other) == nil && reflect.DeepEqual(one, other)
}

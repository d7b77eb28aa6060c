package soak_test

import (
	"context"
	"strings"
)

// mistakes are requests that are rejected before anything is saved. {path} is the path of a collection.
var mistakes = []struct {
	request, body, contentType string
	status                     int
}{
	{"POST {path}", `{"mark":`, "", 400},
	{"POST {path}", `{"mark":"x","mark":"y"}`, "", 400},
	{"POST {path}", `[]`, "", 400},
	{"POST {path}", `{"mark":"","value":-1}`, "", 400},
	{"POST {path}", `{"mark":7}`, "", 400},
	{"POST {path}", `{"nobody":"knows"}`, "", 400},
	{"POST {path}", `mark=x`, "text/plain", 415},
	{"POST {path}", `{"mark":"` + strings.Repeat("x", 80<<10) + `"}`, "", 413},
	{"POST {path}", `{"mark":"x","tags":` + strings.Repeat("[", 99) + strings.Repeat("]", 99) + `}`, "", 413},
	{"PATCH {path}/999999999", `{"value":1}`, "", 404},
	{"PUT {path}/999999999", `{"mark":"x"}`, "", 404},
	{"DELETE {path}/999999999", ``, "", 404},
	{"GET {path}/999999999", ``, "", 404},
	{"GET {path}/none", ``, "", 404},
	{"GET {path}?nobody=knows", ``, "", 400},
	{"GET {path}?page=0", ``, "", 400},
	{"GET {path}?cursor=wrong", ``, "", 400},
	{"GET {path}?mark=" + strings.Repeat("x", 9<<10), ``, "", 414},
	{"POST {path}/1", `{}`, "", 405},
	{"GET /api/nothing", ``, "", 404},
	{"GET /nothing/at/all", ``, "", 404},
	{"HEAD {path}", ``, "", 200},
	{"OPTIONS {path}", ``, "", 204},
}

func (w *worker) mistake(ctx context.Context, c *collection) {
	m := mistakes[w.random.IntN(len(mistakes))]
	method, target, _ := strings.Cut(strings.Replace(m.request, "{path}", c.path, 1), " ")
	var header []string
	if m.contentType != "" {
		header = []string{"Content-Type", m.contentType}
	}
	a := w.send(ctx, method, target, m.body, header...)
	if !oneOf(a.status, m.status, 0, 500, 503) {
		w.findings.add("%s: %d, want %d: %s", shorten(m.request), a.status, m.status, shorten(a.body))
	}
}

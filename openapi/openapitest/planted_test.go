package openapitest_test

import (
	"bytes"
	"context"
	"maps"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/trove-api/trove/openapi/openapitest"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
)

// parcel is a record with every kind of operation.
type parcel struct {
	ID     int64   `json:"id"`
	Number string  `json:"number" validate:"len=8,alphanum" api:"unique,filter" example:"AB123456"`
	Weight int     `json:"weight" validate:"gte=1,lte=1000"`
	Tags   []int64 `json:"tags" validate:"max=3" api:"ref=Label"`
}

type weighing struct {
	Weight int `json:"weight" validate:"gte=1"`
}

type weighed struct {
	Total int `json:"total"`
}

func parcels() []resource.Declaration {
	weigh := func(_ context.Context, p *parcel, in weighing) (weighed, error) {
		return weighed{p.Weight + in.Weight}, nil
	}
	send := func(ctx context.Context, _ *parcel, in []operation.CreateOf[parcel]) (weighed, error) {
		for _, each := range in {
			if _, err := each.Save(ctx); err != nil {
				return weighed{}, err
			}
		}
		return weighed{len(in)}, nil
	}
	return []resource.Declaration{
		resource.Of[parcel]{Operations: append(operation.Standard(),
			operation.Post{Name: "weigh", URITemplate: "/parcels/{id}/weigh", Handler: operation.Handle(weigh)},
			operation.Post{Name: "send", URITemplate: "/parcels/send", Handler: operation.Handle(send)},
			operation.Put{Name: "tag", URITemplate: "/parcels/{id}/tags/{tags}"},
			operation.Delete{Name: "untag", URITemplate: "/parcels/{id}/tags/{tags}"},
		)},
		resource.Of[label]{ShortName: "Label"},
	}
}

// planted matches the requests of each operation, by operationId.
var planted = map[string]*regexp.Regexp{
	"getParcel":    regexp.MustCompile(`^GET /api/parcels/\d+$`),
	"listParcels":  regexp.MustCompile(`^GET /api/parcels$`),
	"createParcel": regexp.MustCompile(`^POST /api/parcels$`),
	"updateParcel": regexp.MustCompile(`^PUT /api/parcels/\d+$`),
	"patchParcel":  regexp.MustCompile(`^PATCH /api/parcels/\d+$`),
	"deleteParcel": regexp.MustCompile(`^DELETE /api/parcels/\d+$`),
	"weighParcel":  regexp.MustCompile(`^POST /api/parcels/\d+/weigh$`),
	"sendParcel":   regexp.MustCompile(`^POST /api/parcels/send$`),
	"tagParcel":    regexp.MustCompile(`^PUT /api/parcels/\d+/tags/\d+$`),
	"untagParcel":  regexp.MustCompile(`^DELETE /api/parcels/\d+/tags/\d+$`),
}

// lie serves a request incorrectly.
type lie func(w http.ResponseWriter, r *http.Request, next http.Handler)

// changed changes successful responses of the API.
func changed(change func(w *httptest.ResponseRecorder)) lie {
	return func(w http.ResponseWriter, r *http.Request, next http.Handler) {
		drifting(func(_ *http.Request, w *httptest.ResponseRecorder) {
			if w.Code < 300 {
				change(w)
			}
		})(next).ServeHTTP(w, r)
	}
}

// edited changes the body of a successful response, or adds one if it has none.
func edited(old *regexp.Regexp, by string) lie {
	return changed(func(w *httptest.ResponseRecorder) {
		w.Body = bytes.NewBuffer(old.ReplaceAll(w.Body.Bytes(), []byte(by)))
		if w.Body.Len() == 0 {
			w.Header().Set("Content-Type", "application/json")
			w.Code, w.Body = http.StatusOK, bytes.NewBufferString(by)
		}
	})
}

// lies returns what an API can do wrong in any operation.
func lies() map[string]func() lie {
	object, field := regexp.MustCompile(`\{`), regexp.MustCompile(`"(id|total)":\d+,?`)
	rejected := func(code int, title string) lie {
		return changed(func(w *httptest.ResponseRecorder) {
			w.Header().Set("Content-Type", "application/problem+json")
			w.Code, w.Body = code, bytes.NewBufferString(`{"type":"about:blank","title":"`+title+`","status":`+strconv.Itoa(code)+`}`)
		})
	}
	always := func(made lie) func() lie { return func() lie { return made } }
	return map[string]func() lie{
		"always fails":              always(rejected(500, "Internal Server Error")),
		"rejects what is valid":     always(rejected(400, "Bad Request")),
		"never finds its record":    always(rejected(404, "Not Found")),
		"always conflicts":          always(rejected(409, "Conflict")),
		"has another status":        always(changed(func(w *httptest.ResponseRecorder) { w.Code = http.StatusAccepted })),
		"has one more field":        always(edited(object, `{"colour":"red",`)),
		"has one field less":        always(edited(field, ``)),
		"has another type":          always(edited(field, `"$1":"7",`)),
		"has another media type":    always(changed(func(w *httptest.ResponseRecorder) { w.Header().Set("Content-Type", "text/html"); w.Body.WriteByte(' ') })),
		"has a body cut off":        always(changed(func(w *httptest.ResponseRecorder) { w.Body.Truncate(w.Body.Len() / 2); w.Body.WriteString(`{`) })),
		"accepts what is not valid": accepting,
	}
}

// accepting replaces a 400 with the last successful response.
func accepting() lie {
	var mu sync.Mutex
	var last *httptest.ResponseRecorder
	return func(w http.ResponseWriter, r *http.Request, next http.Handler) {
		mu.Lock()
		defer mu.Unlock()
		response := httptest.NewRecorder()
		next.ServeHTTP(response, r)
		switch {
		case response.Code < 300:
			last = response
		case last != nil && response.Code == http.StatusBadRequest:
			response = last
		}
		maps.Copy(w.Header(), response.Header())
		w.WriteHeader(response.Code)
		_, _ = w.Write(response.Body.Bytes())
	}
}

// idle are lies about effects, which the document does not describe.
var idle = map[string]lie{
	"deleteParcel": nothing,
	"tagParcel":    nothing,
	"untagParcel":  nothing,
	"listParcels":  changed(func(w *httptest.ResponseRecorder) { w.Body = bytes.NewBufferString("[]") }),
}

// nothing returns 204 for a request without parameters and preconditions, and does nothing.
func nothing(w http.ResponseWriter, r *http.Request, next http.Handler) {
	hasCondition := func(name string) bool { return strings.HasPrefix(name, "If-") }
	if r.URL.RawQuery != "" || slices.ContainsFunc(slices.Collect(maps.Keys(r.Header)), hasCondition) {
		next.ServeHTTP(w, r)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

// TestLiesOfEachKindOfOperationAreFound checks that each lie of each operation is reported.
func TestLiesOfEachKindOfOperationAreFound(t *testing.T) {
	t.Parallel()
	check := func(id, name string, of lie) {
		through := func(next http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if planted[id].MatchString(r.Method + " " + r.URL.Path) {
					of(w, r, next)
					return
				}
				next.ServeHTTP(w, r)
			})
		}
		notes := &recorder{TB: t}
		openapitest.Conform(notes, compile(t, parcels()), openapitest.Through(through), inFull(12))
		if all := strings.Join(notes.complaints, "\n"); !strings.Contains(all, "("+id+")") {
			t.Errorf("%s %s, but the errors are\n%.1000s", id, name, all)
		}
	}
	for i, id := range slices.Sorted(maps.Keys(planted)) {
		for j, name := range slices.Sorted(maps.Keys(lies())) {
			if testing.Short() && (i+j)%12 != 0 {
				continue
			}
			check(id, name, lies()[name]())
		}
	}
	for id, of := range idle {
		check(id, "does nothing", of)
	}
}

func TestAnAPIWithoutLiesConforms(t *testing.T) {
	t.Parallel()
	openapitest.Conform(t, compile(t, parcels()), inFull(100))
}

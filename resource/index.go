package resource

import (
	"bytes"
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/internal/authz"
	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/content"
	"github.com/trove-api/trove/internal/httpfield"
	"github.com/trove-api/trove/internal/problem"
	"github.com/trove-api/trove/internal/serve"
)

const html = "text/html"

// index lists the collections, in JSON or another format with an index. Browsers get the home page, if one is mounted. A
// suffix of the path takes precedence over Accept. Without both, the first format that [API.indexTypes] lists is used.
func (a *API) index(w http.ResponseWriter, r *http.Request, reception *serve.Reception, mediaType string) {
	offers := a.indexTypes()
	w.Header().Set("X-Content-Type-Options", "nosniff")
	ok := mediaType != ""
	if !ok {
		w.Header().Add("Vary", "Accept")
		mediaType, ok = httpfield.Accept(r.Header["Accept"], offers, nil)
	}
	if !ok {
		problem.New(problem.NotAcceptable.Status(), problem.NotAcceptable.Detail(strings.Join(offers, ", ")),
			problem.Field{Name: "supported", Value: offers}).Write(w, r)
		return
	}
	for _, other := range offers {
		if other != mediaType {
			w.Header().Add("Link", "<"+a.model.HomePath()+`>; rel="alternate"; type="`+other+`"`)
		}
	}
	if a.model.Catalog != "" {
		w.Header().Add("Link", "<"+a.model.Catalog+`>; rel="api-catalog"`)
	}
	if mediaType == html && a.model.Home != nil {
		a.model.Home.ServeHTTP(w, r)
		return
	}
	a.forCaller(w, r, reception, func(_ *authz.Caller, may func(*compiled.Operation) bool) { a.writeIndex(w, r, may, mediaType) })
}

// indexTypes lists the media types of the index: those of formats that have one, then JSON, then HTML for browsers.
func (a *API) indexTypes() []string {
	var list []string
	for _, f := range a.model.Formats {
		if f.Index != nil || f.MediaType == format.JSON {
			list = append(list, f.MediaType)
		}
	}
	if !slices.Contains(list, format.JSON) {
		list = append(list, format.JSON)
	}
	if a.model.Home != nil {
		list = append(list, html)
	}
	return list
}

func (a *API) writeIndex(w http.ResponseWriter, r *http.Request, may func(*compiled.Operation) bool, mediaType string) {
	i := slices.IndexFunc(a.model.Formats, func(f *compiled.Format) bool { return f.Index != nil && f.MediaType == mediaType })
	if i < 0 {
		writeBody(w, r, format.JSON, indexJSON(a.entries(nil, may)))
		return
	}
	f := a.model.Formats[i]
	body, err := f.Index(nil, a.entries(f, may))
	if err != nil {
		a.failDocument(w, r, r.URL.Path, err)
		return
	}
	if f.Leads != nil {
		serve.AddLeads(w.Header(), a.model, r, *f.Leads)
	}
	writeBody(w, r, f.ContentType, body)
}

// entries lists the collections that the caller may use in a format, so that clients can follow the links. For JSON, where
// f is nil, and for formats without collections, it lists those of all formats.
func (a *API) entries(f *compiled.Format, may func(*compiled.Operation) bool) []format.Entry {
	all := f == nil || f.Collection.Item == nil && f.For == nil
	var entries []format.Entry
	for _, resource := range a.model.Resources {
		if of := resource.Collection; resource.IsListed(may) && (all || slices.Contains(of.Offers(), f.MediaType)) {
			entries = append(entries, format.Entry{Type: resource.ShortName, Path: of.Path()})
		}
	}
	return entries
}

// indexJSON writes the list as JSON, which every API supports.
func indexJSON(entries []format.Entry) []byte {
	body := []byte{'{'}
	for _, entry := range entries {
		if len(body) > 1 {
			body = append(body, ',')
		}
		body, _ = jsontext.AppendQuote(body, entry.Type)
		body = append(body, ':')
		body, _ = jsontext.AppendQuote(body, entry.Path)
	}
	return append(body, '}')
}

// documents registers the documents that formats serve, such as a JSON-LD context. It returns an error for each path
// that is already in use.
func (a *API) documents(formats []*compiled.Format) error {
	described := false
	var errs []error
	owners := map[string]string{} // media types of formats, by path
	for _, f := range formats {
		if f.Documents == nil {
			continue
		}
		if !described {
			a.model.DescribeAPI()
			described = true
		}
		for _, d := range f.Documents() {
			path := a.model.Prefix + d.Path
			if d.Rel != "" {
				*f.Leads = append(*f.Leads, compiled.Lead{Path: path, Rel: d.Rel})
			}
			if owners[path] == f.MediaType {
				continue // the same format in another list
			}
			owners[path] = f.MediaType
			if a.router.Match(chi.NewRouteContext(), http.MethodGet, a.model.Own(path)) {
				errs = append(errs, fmt.Errorf("format %s: the path %s is already used by an operation or another format; "+
					"change the operation's URITemplate", f.MediaType, path))
				continue
			}
			a.document(path, cmp.Or(d.ContentType, f.ContentType), d)
		}
	}
	if errs == nil {
		return nil
	}
	return declarationErrors(errs)
}

// document registers one document.
func (a *API) document(path, contentType string, d format.Document) {
	var served http.Handler
	switch {
	case d.WriteFor == nil:
		served = a.fixed(path, contentType, func() ([]byte, error) { return d.Write(nil) })
	case !a.model.Ruled:
		served = a.fixed(path, contentType, func() ([]byte, error) { return d.WriteFor(nil, a.model.FormatAPIFor(nil, everything)) })
	default:
		served = a.personal(path, contentType, d)
	}
	if d.Describes {
		open := served
		guarded := sync.OnceValue(func() http.Handler { return a.model.GuardDocs(path, open) })
		served = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if a.model.GuardDocs == nil {
				open.ServeHTTP(w, r)
				return
			}
			guarded().ServeHTTP(w, r)
		})
	}
	path = a.model.Own(path)
	a.router.Method(http.MethodGet, path, served)
	a.router.Method(http.MethodHead, path, served)
	a.router.Options(path, (&target{}).options(a))
}

// fixed serves a document that is the same for everyone, and is created at its first request.
func (a *API) fixed(path, contentType string, write func() ([]byte, error)) http.Handler {
	made := sync.OnceValues(func() (*content.Content, error) {
		body, err := write()
		return content.New(contentType, body), err
	})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		document, err := made()
		if err != nil {
			a.failDocument(w, r, path, err)
			return
		}
		document.ServeHTTP(w, r)
	})
}

// personal serves a document that depends on the caller.
func (a *API) personal(path, contentType string, d format.Document) http.Handler {
	reception := serve.NewReception(a.model, path)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		a.forCaller(w, r, reception, func(c *authz.Caller, may func(*compiled.Operation) bool) {
			body, err := d.WriteFor(nil, a.model.FormatAPIFor(c, may))
			switch {
			case err != nil:
				a.failDocument(w, r, path, err)
			case len(body) == 0:
				a.notFound(w, r)
			default:
				w.Header().Set("Content-Type", contentType)
				w.Header().Set("ETag", content.Tag(body)) // linked-data processors request contexts again and again
				w.Header().Set("X-Content-Type-Options", "nosniff")
				http.ServeContent(problem.NoStoreErrors(w), r, "", time.Time{}, bytes.NewReader(body))
			}
		})
	})
}

func (a *API) failDocument(w http.ResponseWriter, r *http.Request, path string, err error) {
	a.model.Logger.ErrorContext(r.Context(), "document failed", "path", path, "error", err.Error())
	problem.New(http.StatusInternalServerError, "").Write(w, r)
}

// everything is what the only caller of an API without access rules may use.
func everything(*compiled.Operation) bool { return true }

// forCaller authenticates the caller, and calls a function that sends the response. It gets the caller, and what reports
// whether they may use an operation in some case.
func (a *API) forCaller(w http.ResponseWriter, r *http.Request, reception *serve.Reception,
	send func(c *authz.Caller, may func(*compiled.Operation) bool),
) {
	if !a.model.Ruled {
		send(nil, everything)
		return
	}
	client := reception.Identify(w, r)
	if client == nil {
		return
	}
	defer func() {
		if cause := recover(); cause != nil { // of a rule
			reception.Fail(w, r, client, cause)
		}
	}()
	w.Header().Set("Cache-Control", "private, no-cache")
	w.Header().Add("Vary", strings.TrimPrefix(a.model.Vary[0], "Accept, ")) // the index has Accept already
	send(client.Gate(r.Context()), func(op *compiled.Operation) bool {
		server, ok := op.Server.(*serve.Operation)
		return ok && server.MayServe(r.Context(), client)
	})
}

package resource

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/go-chi/chi/v5"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/conditional"
	"github.com/trove-api/trove/internal/problem"
)

// documents registers what formats tell of the API at paths of their own. The errors are those of
// paths that are taken.
func (a *API) documents(formats []*compiled.Format) error {
	told := false
	var errs []error
	whose := map[string]string{} // the media type of the format that a path is of
	for _, f := range formats {
		if f.Documents == nil {
			continue
		}
		if !told {
			a.model.Tell()
			told = true
		}
		for _, d := range f.Documents() {
			path := a.model.Prefix + d.Path
			if d.Rel != "" {
				*f.Leads = append(*f.Leads, compiled.Lead{Path: path, Rel: d.Rel})
			}
			if whose[path] == f.MediaType {
				continue // of the same format in another list
			}
			whose[path] = f.MediaType
			if a.router.Match(chi.NewRouteContext(), http.MethodGet, path) {
				errs = append(errs, fmt.Errorf("format %s: %s is the path of an operation, or of another format; "+
					"give the operation another URITemplate", f.MediaType, path))
				continue
			}
			a.document(path, cmp.Or(d.ContentType, f.ContentType), d)
		}
	}
	return errors.Join(errs...)
}

// document registers one document, which is written when somebody first asks for it. Processors of linked data ask
// for a context again and again: they may keep it, and ask whether it is still the one.
func (a *API) document(path, contentType string, d format.Document) {
	text := sync.OnceValues(func() ([]byte, error) { return d.Write(nil) })
	tag := sync.OnceValue(func() string {
		body, _ := text()
		return string(append(conditional.AppendHash([]byte{'"'}, body), '"'))
	})
	var served http.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := text()
		if err != nil {
			a.model.Logger.ErrorContext(r.Context(), "document failed", "path", path, "error", err.Error())
			problem.New(http.StatusInternalServerError, "").Write(w, r)
			return
		}
		w.Header().Set("Content-Type", contentType)
		w.Header().Set("ETag", tag())
		w.Header().Set("X-Content-Type-Options", "nosniff")
		if w.Header().Get("Cache-Control") == "" { // what is guarded has one
			w.Header().Set("Cache-Control", "no-cache")
		}
		http.ServeContent(problem.NoStoreErrors(w), r, "", time.Time{}, bytes.NewReader(body))
	})
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
	a.router.Method(http.MethodGet, path, served)
	a.router.Method(http.MethodHead, path, served)
	a.router.Options(path, (&address{}).options(a))
}

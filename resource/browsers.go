package resource

import (
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/httpserve"
	"github.com/trove-api/trove/internal/negotiate"
	"github.com/trove-api/trove/internal/problem"
)

// browsers returns the format for browsers: that of the API, or of an operation; nil for none.
func browsers(model *compiled.API) *compiled.Format {
	lists := [][]*compiled.Format{model.Formats}
	for _, r := range model.Resources {
		for _, op := range r.Operations {
			lists = append(lists, op.Formats, op.Readers)
		}
	}
	all := slices.Concat(lists...)
	if i := slices.IndexFunc(all, func(f *compiled.Format) bool { return f.ForBrowsers }); i >= 0 {
		return all[i]
	}
	return nil
}

// forms returns the middleware for HTML forms.
func (a *API) forms() *httpserve.Forms {
	return &httpserve.Forms{
		Origins: &a.model.CrossOrigin,
		Has: func(r *http.Request) bool {
			path, _, _ := a.path(r.Method, r.URL.EscapedPath())
			_, ours := a.suffixes[a.pattern(path)]
			return ours
		},
		Above: a.above, Reject: a.writeProblem,
	}
}

// above returns the path of the nearest page above that of a request: a GET, or the index.
func (a *API) above(r *http.Request) string {
	path, _, _ := a.path(r.Method, r.URL.EscapedPath())
	for len(path) > len(a.model.Prefix) {
		path = path[:max(0, strings.LastIndexByte(path, '/'))]
		if found, _ := a.routes().Match(http.MethodGet, path); found != nil && path != "" {
			return path
		}
	}
	return a.model.HomePath()
}

// writeProblem sends a problem that is not of an operation, as a page if the client prefers one.
func (a *API) writeProblem(w http.ResponseWriter, r *http.Request, p *problem.Problem) {
	f := a.browsers
	if f == nil || f.WriteError == nil {
		p.Write(w, r)
		return
	}
	w.Header().Add("Vary", "Accept")
	if best, _ := negotiate.Accept(r.Header["Accept"], []string{format.JSON, f.MediaType}, nil); best != f.MediaType {
		p.Write(w, r)
		return
	}
	data := format.ErrorResponse{
		Status: p.Status, JSON: p.Append(nil), Query: r.URL.RawQuery, Method: r.Method, Path: r.URL.EscapedPath(),
	}
	p.Describe(&data)
	body, err := f.WriteError(nil, &data)
	if err != nil {
		a.model.Logger.ErrorContext(r.Context(), "error page failed", "error", err.Error())
		p.Write(w, r)
		return
	}
	p.SetHeader(w.Header())
	maps.Copy(w.Header(), f.Lines)
	problem.Send(w, r, p.Status, problem.Body{Text: body, Type: f.RefusalTypes, Length: []string{strconv.Itoa(len(body))}})
}

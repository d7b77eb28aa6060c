package httpserve

import (
	"context"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/go-chi/chi/v5"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/negotiate"
	"github.com/trove-api/trove/internal/problem"
)

// Parameters of the query with which a form runs an operation. They are in the query, so that a request is routed and
// its preconditions are known before its body is read.
const (
	formMethod = "_method"
	formMatch  = "_if_match"
	formNext   = "_next"
)

// form is what a form declares in addition to its fields: the path to go to after success, "" for none.
type form struct{ next string }

// formKey is the key of the form in the context of a request.
type formKey struct{}

// Forms serves requests of HTML forms, which can only GET and POST.
type Forms struct {
	// Origins detects requests that pages of other origins send.
	Origins *http.CrossOriginProtection
	// Has reports whether an operation is at the path of a request, for any method.
	Has func(r *http.Request) bool
	// Above returns the path of the nearest page above the path of a request.
	Above func(r *http.Request) string
	// Reject sends the response to a request that is not allowed.
	Reject func(w http.ResponseWriter, r *http.Request, p *problem.Problem)
}

// Early returns a handler that turns POSTs of forms into the requests that they mean before the middleware of the API,
// which may limit or reject a method. It leaves what is not allowed to Handler, so that middleware sees that too.
func (f *Forms) Early(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost && isForm(r) && f.Has(r) && f.Origins.Check(r) == nil {
			if meant, p := meaning(r); p == nil {
				r = meant
			}
		}
		next.ServeHTTP(w, r)
	})
}

// Handler returns a handler that turns POSTs of forms to operations into the requests that they mean, if Early has not,
// and redirects browsers after success, so that reloading the page does not repeat the change.
func (f *Forms) Handler(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if declared, isMeant := r.Context().Value(formKey{}).(*form); isMeant {
			next.ServeHTTP(f.redirecting(w, r, declared), r)
			return
		}
		if r.Method != http.MethodPost {
			next.ServeHTTP(w, r)
			return
		}
		isForm := isForm(r)
		if !isForm && !isBlind(r) || !f.Has(r) {
			next.ServeHTTP(w, r)
			return
		}
		// Browsers send forms of any page with cookies and Basic credentials, or from inside a network.
		if f.Origins.Check(r) != nil {
			f.Reject(w, r, errCrossOrigin)
			return
		}
		if !isForm {
			next.ServeHTTP(w, r)
			return
		}
		meant, p := meaning(r)
		if p != nil {
			f.Reject(w, r, p)
			return
		}
		declared, _ := meant.Context().Value(formKey{}).(*form)
		next.ServeHTTP(f.redirecting(w, meant, declared), meant)
	})
}

// redirecting returns the writer of a form's response, which redirects browsers.
func (f *Forms) redirecting(w http.ResponseWriter, meant *http.Request, declared *form) http.ResponseWriter {
	if accepted, _ := negotiate.Accept(meant.Header["Accept"], []string{format.JSON, "text/html"}, nil); accepted != "text/html" {
		return w
	}
	return &redirector{ResponseWriter: w, then: declared.next, above: func() string { return f.Above(meant) }, deletes: meant.Method == http.MethodDelete}
}

// isForm reports whether the body of a request is that of a form.
func isForm(r *http.Request) bool {
	mediaType, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	return err == nil && mediaType == "application/x-www-form-urlencoded"
}

// isBlind reports whether a page of another origin can make a browser send a POST with its Basic credentials, without a
// question to the server first (CORS).
func isBlind(r *http.Request) bool {
	mediaType, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	scheme, _, _ := strings.Cut(r.Header.Get(authorization), " ")
	types := []string{"", "text/plain", "multipart/form-data", "application/x-www-form-urlencoded"}
	return strings.EqualFold(scheme, "Basic") && slices.Contains(types, mediaType)
}

// meaning returns the request that a form means. Its context has what the form declares.
func meaning(r *http.Request) (meant *http.Request, p *problem.Problem) {
	var method, match, next string
	query := takeFormQuery(r.URL.RawQuery, map[string]*string{formMethod: &method, formMatch: &match, formNext: &next})
	switch method {
	case "", http.MethodPost:
		method = http.MethodPost
	case http.MethodPut, http.MethodPatch, http.MethodDelete:
	default:
		return nil, problem.New(http.StatusBadRequest, "_method must be POST, PUT, PATCH or DELETE.")
	}
	if !compiled.IsFieldValue(match) {
		return nil, problem.New(http.StatusBadRequest, "_if_match must be an entity tag.")
	}
	if !isLocal(next) {
		next = ""
	}
	meant = r.WithContext(context.WithValue(r.Context(), formKey{}, &form{next}))
	at := *r.URL
	at.RawQuery = query
	meant.URL, meant.Method = &at, method
	if match != "" {
		meant.Header = r.Header.Clone()
		meant.Header.Set("If-Match", match)
	}
	if routing := chi.RouteContext(meant.Context()); routing != nil && routing.RouteMethod != "" {
		routing.RouteMethod = method // of a router around the API
	}
	return meant, nil
}

// takeFormQuery removes the parameters of forms from a query, and sets them.
func takeFormQuery(query string, of map[string]*string) (rest string) {
	var kept []string
	for part := range strings.SplitSeq(query, "&") {
		name, value, _ := strings.Cut(part, "=")
		value, err := url.QueryUnescape(value)
		if to := of[name]; to != nil && err == nil {
			*to = value
		} else if part != "" {
			kept = append(kept, part)
		}
	}
	return strings.Join(kept, "&")
}

// isLocal reports whether a path is one of the same origin for browsers, which read a backslash as a slash, and ignore
// tabs and line breaks.
func isLocal(path string) bool {
	odd := func(r rune) bool { return r <= ' ' || r == 0x7f || r == '\\' || r > '~' }
	return strings.HasPrefix(path, "/") && !strings.HasPrefix(path, "//") && !strings.ContainsFunc(path, odd)
}

// redirector is the writer of a browser's form. It replaces a success without a page of its own by a redirect.
type redirector struct {
	http.ResponseWriter

	then    string        // the path to go to; "" for that of the record
	above   func() string // the nearest page above the request's path
	deletes bool
	sent    bool // the redirect has been sent
}

// Unwrap returns the writer below, for http.ResponseController.
func (w *redirector) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// WriteHeader sends the status, or a redirect (RFC 9110, section 15.4.4).
func (w *redirector) WriteHeader(status int) {
	header := w.Header()
	if target := w.target(status, header); target != "" {
		w.sent, status = true, http.StatusSeeOther
		for _, name := range []string{"Content-Length", "Content-Location", "Content-Type", "Etag", "Last-Modified"} {
			delete(header, name)
		}
		header.Set("Location", target)
		header.Set("Cache-Control", "no-store")
	}
	w.ResponseWriter.WriteHeader(status)
}

// target returns where a browser goes after a response; "" to show the response. A fragment makes the page say what has
// been done.
func (w *redirector) target(status int, header http.Header) string {
	location, shown := header.Get("Location"), header.Get("Content-Location")
	switch {
	case status < http.StatusOK || status >= http.StatusMultipleChoices:
		return ""
	case w.then != "":
		return w.then
	case location != "":
		return withFragment(location, "saved")
	case w.deletes:
		return withFragment(w.above(), "deleted")
	case shown != "":
		return withFragment(shown, "saved")
	case status == http.StatusNoContent:
		return withFragment(w.above(), "done")
	}
	return ""
}

func withFragment(path, fragment string) string {
	if strings.Contains(path, "#") {
		return path
	}
	return path + "#" + fragment
}

// Write writes to the body, which a redirect does not have.
func (w *redirector) Write(b []byte) (int, error) {
	if w.sent {
		return len(b), nil
	}
	return w.ResponseWriter.Write(b)
}

// maxMember is the maximum size in bytes of the body of a form that names a record: its path or identifier.
const maxMember = 8 << 10

// nameMember reads the identifier of the record to add to a list or to remove. A form cannot put what a person types into
// its path. So its path can have the variable in braces instead; the value is then the field of that name in the body.
func (x *exchange) nameMember() error {
	m := x.op.Membership
	if _, ok := x.r.Context().Value(formKey{}).(*form); !ok || x.inner != nil || x.variable(m.Variable) != "{"+m.Variable+"}" {
		return x.call.NameMember(x.variable)
	}
	if err := x.readBody(maxMember); err != nil {
		return err
	}
	fields, err := url.ParseQuery(string(x.buffers.request))
	if err != nil {
		return problem.New(http.StatusBadRequest, "The form is malformed. Percent-encode its names and values.")
	}
	id := strings.TrimSpace(fields.Get(m.Variable))
	if m.Resource.RecordPath != nil {
		if named, isPath := m.Resource.RecordPath.Read(id); isPath {
			id = named
		}
	}
	return x.call.NameMember(func(string) string { return id })
}

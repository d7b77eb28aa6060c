package resource

import (
	"net/http"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/negotiate"
	"github.com/trove-api/trove/internal/problem"
)

const html = "text/html"

// index lists the collections; a browser is led to the documentation.
func (a *API) index(w http.ResponseWriter, r *http.Request) {
	offers := []string{compiled.JSON}
	if a.model.Docs != "" {
		offers = append(offers, html)
	}
	w.Header().Add("Vary", "Accept")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	switch mediaType, ok := negotiate.Accept(r.Header["Accept"], offers); {
	case !ok:
		problem.New(http.StatusNotAcceptable, "The list of collections is sent as "+compiled.JSON+".",
			problem.Member{Name: "supported", Value: offers}).Write(w, r)
	case mediaType == html:
		http.Redirect(w, r, a.model.Docs, http.StatusFound)
	default:
		a.writeIndex(w, r)
	}
}

func (a *API) writeIndex(w http.ResponseWriter, r *http.Request) {
	body := []byte{'{'}
	for _, resource := range a.model.Resources {
		if resource.Collection == nil {
			continue
		}
		if len(body) > 1 {
			body = append(body, ',')
		}
		body, _ = jsontext.AppendQuote(body, resource.ShortName)
		body = append(body, ':')
		body, _ = jsontext.AppendQuote(body, resource.Collection.Path())
	}
	body = append(body, '}')
	w.Header().Set("Content-Type", compiled.JSON)
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	if r.Method != http.MethodHead {
		_, _ = w.Write(body) // the client may be gone, which is nobody's fault
	}
}

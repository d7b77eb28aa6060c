package openapi

import (
	"cmp"
	"net/http"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/serve"
	"github.com/trove-api/trove/resource"
)

// catalogPath is the well-known path of the catalog (RFC 9727, section 2).
const catalogPath = "/.well-known/api-catalog"

// catalogType is the media type of the catalog, with its profile (RFC 9727, sections 4.2 and 7.3).
const catalogType = `application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"`

// catalog serves links to the API and its documents, by which programs discover them (RFC 9727).
type catalog struct {
	api   *compiled.API
	title string
}

// linkset is a set of links (RFC 9264, section 4.2).
type linkset struct {
	Contexts []linkContext `json:"linkset"`
}

// linkContext has the URL of an anchor, and its links by their relations (RFC 8288; RFC 8631).
type linkContext map[string]any

// add adds a link.
func (c linkContext) add(relation, href, title, mediaType string) {
	list, _ := c[relation].([]linkTarget)
	c[relation] = append(list, linkTarget{href, title, mediaType})
}

// linkTarget is where a link leads.
type linkTarget struct {
	Href  string `json:"href"`
	Title string `json:"title,omitempty"`
	Type  string `json:"type,omitempty"`
}

// mountCatalog serves the catalog at the root of the service, unless a route is there. Callers who may not read the
// documentation do not get the catalog either.
func mountCatalog(api *resource.API, title string, guarded gatekeeper) {
	model := compiled.Of(api)
	model.Catalog = model.Whole(catalogPath)
	for _, route := range api.Router().Routes() {
		if route.Pattern == catalogPath {
			return
		}
	}
	handleGet(api, catalogPath, guarded(catalogPath, &catalog{model, title}))
}

// ServeHTTP sends the catalog. Its Link is for HEAD (RFC 9727, section 2). Shared caches must not store it, because it has
// the Host that the client has sent.
func (c *catalog) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	origin := serve.Origin(c.api, r)
	w.Header().Add("Link", "<"+origin+c.api.Catalog+`>; rel="api-catalog"; type="application/linkset+json"`)
	serve.SendJSON(w, r, c.api, catalogType, c.links(origin))
}

// links returns the links of the catalog to its APIs, and of the API to its documents.
func (c *catalog) links(origin string) linkset {
	anchor := origin + cmp.Or(c.api.Prefix, "/")
	own, all := linkContext{"anchor": anchor}, linkContext{"anchor": origin + c.api.Catalog}
	all.add("item", anchor, c.title, "")
	for _, link := range c.api.Links() {
		switch link.Rel {
		case "item":
			all.add(link.Rel, origin+link.Path, link.Title, link.Type)
		case "service-desc", "service-doc":
			own.add(link.Rel, origin+link.Path, link.Title, link.Type)
		}
	}
	if metadata := serve.NewMetadata(c.api, c.api.Prefix); metadata != nil {
		own.add("service-meta", origin+metadata.Link(), "", "application/json")
	}
	return linkset{[]linkContext{all, own}}
}

package openapi

import (
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

// linkContext has the links of one URL, by their relations (RFC 8288; RFC 8631).
//
//nolint:tagliatelle // the names are relations
type linkContext struct {
	Anchor string       `json:"anchor"`
	Item   []linkTarget `json:"item,omitempty"`
	Desc   []linkTarget `json:"service-desc,omitempty"`
	Doc    []linkTarget `json:"service-doc,omitempty"`
	Meta   []linkTarget `json:"service-meta,omitempty"`
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
	own := linkContext{Anchor: origin + c.api.Prefix}
	all := linkContext{Anchor: origin + c.api.Catalog, Item: []linkTarget{{Href: own.Anchor, Title: c.title}}}
	if own.Anchor == origin {
		own.Anchor, all.Item[0].Href = origin+"/", origin+"/"
	}
	for _, link := range c.api.Links() {
		target := linkTarget{origin + link.Path, link.Title, link.Type}
		switch link.Rel {
		case "item":
			all.Item = append(all.Item, target)
		case "service-desc":
			own.Desc = append(own.Desc, target)
		case "service-doc":
			own.Doc = append(own.Doc, target)
		}
	}
	if metadata := serve.NewMetadata(c.api, c.api.Prefix); metadata != nil {
		own.Meta = []linkTarget{{Href: origin + metadata.Link(), Type: "application/json"}}
	}
	return linkset{[]linkContext{all, own}}
}

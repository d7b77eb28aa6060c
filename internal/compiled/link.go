package compiled

import (
	"cmp"
	"slices"
)

// Link leads to something that a program serves next to the operations of its API, such as the documentation.
type Link struct {
	Rel   string // how its target relates to the API (RFC 8288), such as "service-doc"; "" for pages only people use
	Title string // for people
	Path  string
	Type  string // the media type of the target; "" if it has several or none
}

// AddLink adds a link to those that [API.Links] returns. Call it when the target is mounted, before the API serves.
func (a *API) AddLink(link Link) { a.links = append(a.links, link) }

// Links returns the links in the order in which they were added.
func (a *API) Links() []Link { return slices.Clip(a.links) }

// HomePath returns the path of the list of collections, at which browsers see the home page.
func (a *API) HomePath() string { return cmp.Or(a.Prefix, "/") }

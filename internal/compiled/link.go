package compiled

import (
	"cmp"
	"slices"
	"strings"
)

// Whole returns the path that clients see for a path of the program: with Base.
func (a *API) Whole(own string) string {
	if own == "/" && a.Base != "" {
		return a.Base
	}
	return a.Base + own
}

// Own returns the path of the program for one that clients see: without Base. Other paths remain as they are.
func (a *API) Own(path string) string {
	own, cut := strings.CutPrefix(path, a.Base)
	if !cut || own != "" && own[0] != '/' {
		return path
	}
	return cmp.Or(own, "/")
}

// Hosts returns the host that clients see, nil if that is the one of each request.
func (a *API) Hosts() []string {
	if a.Origin == "" {
		return nil
	}
	_, host, _ := strings.Cut(a.Origin, "://")
	return []string{host}
}

// Link leads to something that a program serves next to the operations of its API, such as the documentation.
type Link struct {
	Rel   string // how its target relates to the API (RFC 8288), such as "service-doc"; "" for pages only people use
	Title string // for people
	Path  string // as clients see it
	Type  string // the media type of the target; "" if it has several or none
}

// AddLink adds a link to those that [API.Links] returns. Call it when the target is mounted, before the API serves.
func (a *API) AddLink(link Link) { a.links = append(a.links, link) }

// Links returns the links in the order in which they were added.
func (a *API) Links() []Link { return slices.Clip(a.links) }

// HomePath returns the path of the list of collections, at which browsers see the home page.
func (a *API) HomePath() string { return cmp.Or(a.Prefix, "/") }

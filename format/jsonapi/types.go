package jsonapi

import (
	"cmp"
	"strings"

	"github.com/trove-api/trove/format"
)

// types has the names of an API's types. They are known once the API is complete, after the plans are made.
type types struct {
	api   *format.API
	known func() map[string]string // by resource
}

// typesOf returns the type of each resource: the last part of the path of its collection, because clients build paths
// from types. That is "reviews" for /products/{product}/reviews too, unless a collection below no other record has the
// name. A resource without such a part, or whose name is taken, uses its short name.
func typesOf(api *format.API) map[string]string {
	known, taken := map[string]string{}, map[string]bool{}
	name := func(r *format.Resource, paths ...string) {
		for _, path := range paths {
			last, _, _ := strings.Cut(path[strings.LastIndexByte(path, '/')+1:], "{._format}")
			if known[r.Name] == "" && last != "" && !taken[last] && checkName(last, true) == nil {
				known[r.Name], taken[last] = last, true
			}
		}
	}
	for i := range api.Resources {
		name(&api.Resources[i], api.Resources[i].Collection, above(api.Resources[i].Item))
	}
	for i := range api.Resources {
		r := &api.Resources[i]
		name(r, above(r.Path))
		for _, op := range r.Operations {
			if op.Collection && !op.Custom {
				name(r, op.Path)
			}
		}
		if known[r.Name] == "" {
			known[r.Name], taken[r.Name] = r.Name, true
		}
	}
	return known
}

// above returns the path of a record without its last part, the identifier.
func above(path string) string { return path[:max(0, strings.LastIndex(path, "/{"))] }

// name returns the type of a resource.
func (n *types) name(resource string) string {
	return cmp.Or(n.known()[resource], resource)
}

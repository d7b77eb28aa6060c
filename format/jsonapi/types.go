package jsonapi

import (
	"strings"
	"sync"

	"github.com/trove-api/trove/format"
)

// types are the types of an API: how resources are called. They are known when the API is
// complete, which is after the plans are made.
type types struct {
	api   *format.API
	known func() map[string]string // by resource
}

func newTypes(api *format.API) *types {
	return &types{api, sync.OnceValue(func() map[string]string { return typesOf(api) })}
}

// typesOf calls each resource by the last part of the path of its collection, for clients make the
// path of the type. A resource has its short name where there is no such part, or another one has it.
func typesOf(api *format.API) map[string]string {
	known, taken := map[string]string{}, map[string]bool{}
	for i := range api.Resources {
		r := &api.Resources[i]
		name := lastPart(r.Collection)
		if name == "" {
			before, _, _ := strings.Cut(r.Item, "/{")
			name = lastPart(before)
		}
		if name == "" || taken[name] || checkName(name, true) != nil {
			name = r.Name
		}
		known[r.Name], taken[name] = name, true
	}
	return known
}

func lastPart(path string) string {
	part := path[strings.LastIndexByte(path, '/')+1:]
	part, _, _ = strings.Cut(part, "{._format}")
	return part
}

// name returns the type of a resource.
func (n *types) name(resource string) string {
	if name := n.known()[resource]; name != "" {
		return name
	}
	return resource
}

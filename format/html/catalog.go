package html

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/trove-api/trove/format"
)

// catalog finds the resources and operations of an API.
type catalog struct {
	resources  map[string]*format.Resource
	operations map[string]*format.Operation // by id
	owners     map[string]*format.Resource  // of the operations
	pages      []*format.Operation          // those that read, with fewer variables in their paths first
}

func newCatalog(api *format.API) *catalog {
	c := &catalog{
		resources: map[string]*format.Resource{}, operations: map[string]*format.Operation{}, owners: map[string]*format.Resource{},
	}
	for i := range api.Resources {
		r := &api.Resources[i]
		c.resources[r.Name] = r
		for j := range r.Operations {
			op := &r.Operations[j]
			c.operations[op.ID], c.owners[op.ID] = op, r
			if op.Method == http.MethodGet {
				c.pages = append(c.pages, op)
			}
		}
	}
	slices.SortStableFunc(c.pages, func(a, b *format.Operation) int { return strings.Count(a.Path, "{") - strings.Count(b.Path, "{") })
	return c
}

// at returns the operation that a GET of a path runs, nil for none.
func (c *catalog) at(path string) *format.Operation {
	for _, op := range c.pages {
		if _, is := variables(op.Path, path); is {
			return op
		}
	}
	return nil
}

// hasJSON reports whether a GET of a path takes the suffix of JSON.
func (c *catalog) hasJSON(path string) bool {
	op := c.at(path)
	return op != nil && slices.Contains(op.Suffixes, ".json")
}

// isSession reports whether an operation begins or ends a session. Pages show these in their header.
func (s *site) isSession(op *format.Operation) bool {
	return s.api.SignIn != nil && op.ID == s.api.SignIn.ID || s.api.SignOut != nil && op.ID == s.api.SignOut.ID
}

// home returns the path of the home page.
func (s *site) home() string {
	if s.api.Prefix == "" {
		return "/"
	}
	return s.api.Prefix
}

// title returns the title of the API.
func (s *site) title() string {
	if s.api.Title == "" {
		return "API"
	}
	return s.api.Title
}

// variables returns the variables of a template in a path, percent-encoded, and whether the path is one of the template.
func variables(template, path string) (map[string]string, bool) {
	before, rest, more := strings.Cut(template, "{")
	path, ok := strings.CutPrefix(path, before)
	if !ok || !more {
		return map[string]string{}, ok && path == ""
	}
	name, behind, _ := strings.Cut(rest, "}")
	next, _, _ := strings.Cut(behind, "{")
	end := len(path)
	if next != "" {
		end = strings.Index(path, next)
	}
	if end <= 0 || strings.Contains(path[:end], "/") {
		return nil, false
	}
	found, ok := variables(behind, path[end:])
	if ok {
		found[name] = path[:end]
	}
	return found, ok
}

// expand returns the path of a template, and whether all its variables are known.
func expand(template string, values map[string]string) (string, bool) {
	var b strings.Builder
	for {
		before, rest, more := strings.Cut(template, "{")
		b.WriteString(before)
		if !more {
			return b.String(), true
		}
		name, behind, _ := strings.Cut(rest, "}")
		value, known := values[name]
		if !known {
			return "", false
		}
		b.WriteString(value)
		template = behind
	}
}

// local returns the variables of a record's own path.
func (s *site) local(r *format.Resource, path, id string) map[string]string {
	if r == nil {
		return nil
	}
	if found, ok := variables(r.Path, path); ok {
		return found
	}
	if r.Type != nil && r.Type.ID != "" && id != "" {
		return map[string]string{r.Type.ID: url.PathEscape(id)}
	}
	return nil
}

// withSuffix returns a path, perhaps with a query, in the format of a suffix.
func withSuffix(path, suffix string) string {
	path, query, has := strings.Cut(path, "?")
	if path = strings.TrimSuffix(path, ".html") + suffix; has {
		path += "?" + query
	}
	return path
}

package openapitest

import (
	"maps"
	"net/http"

	"github.com/trove-api/trove/internal/compiled"
)

// lastResort tries an operation that no caller has succeeded with on the records that exist: a record that Conform
// creates is often nobody's, and each caller may change only their own. Bodies leave them as they are.
func (c *conformity) lastResort(op operation) {
	declared := c.declared[op.key()]
	if of := c.covered[op.name()]; declared == nil || !declared.Item || of != nil && of.succeeded {
		return
	}
	for _, c.caller = range c.orNobody() {
		for _, record := range c.listed(declared.Resource) {
			path, ok := c.pathOf(op, record)
			if !ok {
				continue
			}
			if declared.Membership != nil && op.method == "delete" {
				c.enter(declared.Path(), path)
			}
			for _, r := range c.harmless(op, path) {
				c.sent = 0
				if answer := c.send(op, r); answer.Code < http.StatusBadRequest {
					return
				}
			}
		}
	}
}

// harmless lists requests of an operation on a record that leave it as it is, as far as that can be.
func (c *conformity) harmless(op operation, path string) []request {
	r := c.plainRequest(op)
	maps.Copy(r.header, c.caller.header)
	r.path, r.mediaType = path, op.body()
	if r.mediaType == "" {
		return []request{r}
	}
	var all []request
	for _, body := range []string{c.own(op, r), "{}"} {
		r.body = body
		if r.valid, r.exactly = c.worth(op, r); r.valid {
			all = append(all, r)
		}
	}
	if example, ok := c.exampleOf(op); ok && len(all) == 0 {
		all = append(all, r.with(string(written(example)), true, false))
	}
	return all
}

// own returns what the caller reads of a record, without the fields that the operation does not take.
func (c *conformity) own(op operation, r request) string {
	text := c.readAs(r.path, r.mediaType)
	body, _ := parsed(text)
	content, _ := c.document.resolve(op.object["requestBody"])["content"].(object)
	media, _ := content[r.mediaType].(object)
	properties, _ := c.document.resolve(media["schema"])["properties"].(object)
	node, ok := body.(object)
	if !ok || properties == nil {
		return text
	}
	maps.DeleteFunc(node, func(name string, _ any) bool { return properties[name] == nil })
	return string(written(node))
}

// listed returns records that the caller sees in the collection of a resource.
func (c *conformity) listed(of *compiled.Resource) []*kept {
	if of.Collection == nil || len(of.Collection.Template.Variables()) > 0 {
		return nil
	}
	asking := request{method: http.MethodGet, path: of.Collection.Path(), header: c.caller.header}.asking("header", "Accept", "application/json")
	body, _ := parsed(asking.send(c.t.Context(), c.handler).Body.String())
	list, _ := body.([]any)
	var all []*kept
	for _, each := range list {
		record := &kept{of, map[string]string{}}
		node, _ := each.(object)
		if c.readVariables(record, node); record.text() != "" {
			all = append(all, record)
		}
	}
	return all
}

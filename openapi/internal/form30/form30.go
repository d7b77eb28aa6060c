// Package form30 writes documents of OpenAPI 3.1 in the form of OpenAPI 3.0, for tools that know
// no other.
package form30

import (
	"errors"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Version is that of the form in full.
const Version = "3.0.3"

// Rewrite rewrites a document, given as JSON, in the form of OpenAPI 3.0, whose schemas have
// other words for null, constants, exclusive limits and examples, and none beside a
// reference. Both forms allow the same values, but where 3.0 has no word for a rule, such
// as one about a map's names: that is in the description, marked by a format. Each number
// stays as it was.
func Rewrite(text []byte) (map[string]any, error) {
	root := map[string]any{}
	if err := json.Unmarshal(text, &root, json.WithUnmarshalers(json.UnmarshalFromFunc(exactNumber))); err != nil {
		return nil, err
	}
	root30(root)
	return root, nil
}

// exactNumber reads a number as its text: float64 does not have all integers.
func exactNumber(from *jsontext.Decoder, to *any) error {
	if from.PeekKind() != jsontext.KindNumber {
		return errors.ErrUnsupported
	}
	number, err := from.ReadValue()
	*to = number.Clone()
	return err
}

// root30 rewrites a whole document.
func root30(root map[string]any) {
	root["openapi"] = Version
	delete(root, "jsonSchemaDialect")
	delete(root, "webhooks")
	head30(root)
	schemas30(root)
	components, _ := root["components"].(map[string]any)
	delete(components, "pathItems")
	schemas, _ := components["schemas"].(map[string]any)
	for name, schema := range schemas {
		schemas[name] = rewriteSchema(schema)
	}
}

// head30 leaves out what 3.0 does not say of an API. A license that is not one of the
// SPDX list, but an expression, has no address.
func head30(root map[string]any) {
	info, _ := root["info"].(map[string]any)
	delete(info, "summary")
	license, _ := info["license"].(map[string]any)
	id, ok := license["identifier"].(string)
	delete(license, "identifier")
	if ok && !strings.ContainsAny(id, " ()+:") && !strings.HasPrefix(id, "LicenseRef-") {
		license["url"] = "https://spdx.org/licenses/" + id + ".html"
	}
}

// schemas30 rewrites the schemas of everything below a node.
func schemas30(node any) {
	switch node := node.(type) {
	case []any:
		for _, each := range node {
			schemas30(each)
		}
	case map[string]any:
		for name, value := range node {
			switch name {
			case "schema":
				node[name] = rewriteSchema(value)
			case "example", "examples", "schemas":
			default:
				schemas30(value)
			}
		}
	}
}

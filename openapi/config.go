package openapi

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/naming"
)

// Config sets what the document has in addition to the resources. The zero value of every field is the default.
type Config struct {
	// Title is the API's name. Default: "API".
	Title string
	// Version is the version of the API, not of OpenAPI. Default: "0.0.0".
	Version string
	// Summary describes the API in one line. Default: none.
	Summary string
	// Description describes the API in Markdown. Default: none.
	Description string
	// Contact is the contact for the API. Default: none.
	Contact *openapi3.Contact
	// License is the license of the API. Default: none.
	License *openapi3.License
	// Servers are the URLs of the API, without its prefix, which is part of the paths. Default: the server that sends
	// the document, so that a page opened on a developer's machine sends no requests to the public URL.
	Servers openapi3.Servers
	// OpenAPI is the version of OpenAPI: "3.1" or, for older tools, "3.0". Clients can choose a version with the
	// parameter version. Default: "3.1".
	OpenAPI string
	// UI is the page that shows the document. Default: Swagger UI.
	UI UI
	// Style is CSS that follows the styles of the page, for instance to change its colors. Default: none.
	Style string
	// Access is the rule for reading the documentation. It can use the principal and scopes only. Other callers get a
	// 401 or 403. The home page, the admin and the tools of package mcp show them only what they may use, without
	// descriptions. The files of the page stay public. It is an error if the API declares neither a scheme nor an access
	// rule, because all its operations would then be open. Default: access.Public.
	Access access.Rule
	// Operations change operations of the document, by their ids: "createBook". Such an operation shares no parameter,
	// header or response with others. The functions run before Customize and the validation. A nil function, and an id
	// that no documented operation has, are errors of [Mount]. Default: nothing.
	Operations map[string]func(*openapi3.Operation)
	// Customize changes the finished document before it is validated, for instance to translate the texts that Trove
	// writes. The document has version 3.1, regardless of OpenAPI. Default: nothing.
	Customize func(*openapi3.T)
}

// formVersion is the full version of OpenAPI 3.1.
const formVersion = "3.1.1"

// check returns all errors in the config.
func (c Config) check(api *compiled.API) error {
	var errs []error
	fail := func(format string, args ...any) { errs = append(errs, fmt.Errorf("openapi: config: "+format, args...)) }
	switch c.OpenAPI {
	case "", "3.1", "3.0":
	default:
		fail(`OpenAPI is %q; allowed: "3.1", "3.0"`, c.OpenAPI)
	}
	var documented []string
	for _, r := range api.Resources {
		for _, op := range r.Operations {
			if !op.Hidden {
				documented = append(documented, op.ID)
			}
		}
	}
	for _, id := range slices.Sorted(maps.Keys(c.Operations)) {
		switch {
		case !slices.Contains(documented, id):
			fail("Operations: no documented operation has the id %q%s", id, naming.Allowed(id, documented))
		case c.Operations[id] == nil:
			fail("Operations: the function of %s is nil; remove it", id)
		}
	}
	return errors.Join(errs...)
}

func (c Config) title() string { return cmp.Or(c.Title, "API") }

func (c Config) version() string { return cmp.Or(c.Version, "0.0.0") }

package openapi

import (
	"cmp"
	"fmt"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/trove-api/trove/access"
)

// Config says what the document tells of an API beside its resources. The zero value of
// every field is the default named at the field.
type Config struct {
	// Title is the API's name. Default: "API".
	Title string
	// Version is the version of the API, not of OpenAPI. Default: "0.0.0".
	Version string
	// Summary is the API in one line. Default: none.
	Summary string
	// Description is the API's text, in Markdown. Default: none.
	Description string
	// Contact is who answers questions about the API. Default: nobody.
	Contact *openapi3.Contact
	// License is that of the API. Default: none.
	License *openapi3.License
	// Servers are the addresses of the API, without its prefix, which paths have.
	// Default: the server that sends the document.
	Servers openapi3.Servers
	// OpenAPI is the version of the document's form: "3.1", which is the default, or "3.0"
	// for tools that know no other. Clients can ask for each by the parameter version.
	OpenAPI string
	// EveryStatus documents every status that an operation answers with in full. Default:
	// success, 304 and the refusals on which clients act (broken rules, wrong parameters,
	// 404, 409, 412, 428); one problem, as default, stands for all others.
	EveryStatus bool
	// Access is who may see the documentation, of whom nothing but the principal and its scopes
	// is asked: others are answered 401 or 403, as by operations. The files of Swagger UI
	// itself are for everybody. Default: everybody. It is an error
	// if the API declares neither a scheme nor an access rule, because all its operations would then be open.
	Access access.Rule
	// Customize changes the finished document, before it is checked, in the form of 3.1
	// whatever OpenAPI says. Default: nothing.
	Customize func(*openapi3.T)
}

// formVersion is the version of the document's form in full.
const formVersion = "3.1.1"

func (c Config) check() error {
	switch c.OpenAPI {
	case "", "3.1", "3.0":
		return nil
	}
	return fmt.Errorf(`OpenAPI is %q; allowed: "3.1", "3.0"`, c.OpenAPI)
}

func (c Config) title() string { return cmp.Or(c.Title, "API") }

func (c Config) version() string { return cmp.Or(c.Version, "0.0.0") }

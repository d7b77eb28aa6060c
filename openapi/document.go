package openapi

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/getkin/kin-openapi/openapi3"
	jsonv1 "github.com/go-json-experiment/json/v1"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/describe"
	"github.com/trove-api/trove/internal/schema"
	"github.com/trove-api/trove/resource"
)

// Document builds the OpenAPI document of an API. Each call builds a new document, which the caller can change. It
// returns an error for a nil API, an invalid config and two schemas with the same name. It also returns one if the
// functions of the config make the document invalid.
func Document(api *resource.API, config Config) (*openapi3.T, error) {
	text, err := documentText(api, config)
	if err != nil {
		return nil, err
	}
	return load(text)
}

// Export writes the API's document to w as JSON, as [Mount] serves it. A build can then store, compare or publish it
// without a server. The API need not be mounted. Its errors are those of [Document] and of w.
func Export(w io.Writer, api *resource.API, config Config) error {
	text, err := documentText(api, config)
	if err != nil {
		return err
	}
	if _, err := w.Write(text); err != nil {
		return fmt.Errorf("openapi: writing the document: %w", err)
	}
	return nil
}

// documentText returns the checked document in the version that the config sets.
func documentText(api *resource.API, config Config) ([]byte, error) {
	forms, err := newForms(api, config)
	if err != nil {
		return nil, err
	}
	forms.checked = true
	content, err := forms.of(forms.usual).json()
	if err != nil {
		return nil, err
	}
	return content.Body, nil
}

// placeOfSchemas is the path of schemas in the document.
const placeOfSchemas = "#/components/schemas/"

// builder builds one document.
type builder struct {
	api       *compiled.API
	config    Config
	schemas   *describe.Schemas
	head      object // from the config
	paths     object // each a *object of its operations
	tags      []any
	responses object // of errors, in the order of first use
	schemes   any    // of security; nil for none
	shared    map[string]*shared
	mistakes  []error // of formats
}

// newBuilder returns a builder for an API after checking the config.
func newBuilder(api *resource.API, config Config) (*builder, error) {
	if api == nil {
		return nil, errors.New("openapi: the API is nil")
	}
	if err := config.check(compiled.Of(api)); err != nil {
		return nil, err
	}
	if err := checkOwnRules(compiled.Of(api).Rules); err != nil {
		return nil, fmt.Errorf("openapi: %w", err)
	}
	schemas, err := describe.New(compiled.Of(api), false)
	if err != nil {
		return nil, fmt.Errorf("openapi: %w", err)
	}
	head, err := config.head()
	if err != nil {
		return nil, fmt.Errorf("openapi: config: %w", err)
	}
	b := &builder{api: compiled.Of(api), config: config, schemas: schemas, head: head, shared: map[string]*shared{}}
	b.schemes = b.securitySchemes()
	return b, nil
}

// document builds the API's document, and lists the names of the fields of each schema.
func (b *builder) document() (doc object, fields [][]string, err error) {
	for _, r := range b.api.Resources {
		b.resource(r)
	}
	definitions, err := b.schemas.Name()
	if err := errors.Join(append(b.mistakes, err)...); err != nil {
		return nil, nil, err
	}
	schemas := make(object, len(definitions))
	for i, d := range definitions {
		schemas[i] = member{d.Name, d.Schema}
		if properties := d.Schema.Properties; len(properties) > 0 {
			names := make([]string, len(properties))
			for i, p := range properties {
				names[i] = p.Name
			}
			fields = append(fields, names)
		}
	}
	doc = append(slices.Clip(b.head), member{"tags", b.tags})
	if b.schemes == nil {
		doc = append(doc, member{"security", []any{}}) // shows that credentials were not forgotten
	}
	return append(doc, member{"paths", append(object{}, b.paths...)}, member{"components", object{
		{"schemas", unlessEmpty(schemas)},
		{"responses", unlessEmpty(append(b.responses, b.promoted("responses")...))},
		{"parameters", b.promoted("parameters")},
		{"headers", b.promoted("headers")},
		{"securitySchemes", b.schemes},
	}}), fields, nil
}

// write builds the document and writes it as JSON, with the changes of the user's functions.
func (b *builder) write(checked bool) ([]byte, error) {
	doc, fields, err := b.document()
	if err != nil {
		return nil, err
	}
	text, err := write(doc, fields)
	switch {
	case err != nil:
		return nil, fmt.Errorf("writing the document: %w", err)
	case len(b.config.Operations) > 0 || b.config.Customize != nil:
		return b.hook(text)
	case checked:
		err = check(text)
	}
	return text, err
}

// head returns the document's fields that come from the config, as plain data because callers may change their config.
func (c Config) head() (object, error) {
	plain := func(value any, is bool) (any, error) {
		if !is {
			return nil, nil
		}
		text, err := jsonv1.Marshal(value)
		if err != nil {
			return nil, err
		}
		read, err := readJSON(text)
		if n, ok := read.(*node); ok {
			slices.SortFunc(n.fields, inUsualOrder)
		}
		return read, err
	}
	contact, errContact := plain(c.Contact, c.Contact != nil)
	license, errLicense := plain(c.License, c.License != nil)
	servers, errServers := plain(c.Servers, len(c.Servers) > 0)
	return object{
		{"openapi", formVersion},
		{"info", object{
			{"title", c.title()},
			{"version", c.version()},
			{"summary", c.Summary},
			{"description", c.Description},
			{"contact", contact},
			{"license", license},
		}},
		{"servers", servers},
	}, errors.Join(errContact, errLicense, errServers)
}

// fixed returns a reference to the schema of an error.
func (b *builder) fixed(name string) *schema.Schema {
	return b.schemas.Fixed(name, errorSchemas[name]).Ref(schema.Schema{})
}

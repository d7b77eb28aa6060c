package openapi

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/describe"
	"github.com/trove-api/trove/internal/schema"
	"github.com/trove-api/trove/openapi/internal/encode"
	"github.com/trove-api/trove/resource"
)

// Document builds the document of an API. Each call builds a new one, which the caller
// may change. Its errors are a nil API, mistakes in the config, names that two schemas
// would share, and what the OpenAPI functions of operations and Customize make invalid.
func Document(api *resource.API, config Config) (*openapi3.T, error) {
	b, err := newBuilder(api, config)
	if err != nil {
		return nil, err
	}
	if err := b.build(); err != nil {
		return nil, fmt.Errorf("openapi: %w", err)
	}
	if err := validate(b.doc); err != nil {
		return nil, fmt.Errorf("openapi: %w", err)
	}
	if config.OpenAPI != "3.0" {
		return b.doc, nil
	}
	older, err := document30(b.doc)
	if err != nil {
		return nil, fmt.Errorf("openapi: the document %w", err)
	}
	return older, nil
}

// builder builds one document.
type builder struct {
	api         *compiled.API
	schemas     *describe.Schemas
	doc         *openapi3.T
	customize   func(*openapi3.T) // nil for none
	everyStatus bool
	shared      *shared
	paths       []string                                 // in the order of declaration
	responses   []string                                 // in the order of first use
	changed     []*compiled.Operation                    // those that their OpenAPI function changes
	linked      map[*compiled.Operation][]*openapi3.Link // that lead to an operation
	pending     []pending
	definitions []*schema.Definition // those of Go types before those of every API
	mistakes    []error              // of formats
}

// newBuilder begins a document with what the config says.
func newBuilder(api *resource.API, config Config) (*builder, error) {
	if api == nil {
		return nil, errors.New("openapi: the API is nil")
	}
	if err := config.check(); err != nil {
		return nil, fmt.Errorf("openapi: config: %w", err)
	}
	if err := checkOwnRules(compiled.Of(api).Rules); err != nil {
		return nil, fmt.Errorf("openapi: %w", err)
	}
	schemas, err := describe.New(compiled.Of(api))
	if err != nil {
		return nil, fmt.Errorf("openapi: %w", err)
	}
	doc := &openapi3.T{
		OpenAPI:    formVersion,
		Info:       config.info(),
		Servers:    config.servers(),
		Paths:      openapi3.NewPaths(),
		Components: &openapi3.Components{Responses: openapi3.ResponseBodies{}},
	}
	b := &builder{
		api: compiled.Of(api), schemas: schemas, doc: doc, customize: config.Customize, everyStatus: config.EveryStatus,
		shared: newShared(), linked: map[*compiled.Operation][]*openapi3.Link{},
	}
	if doc.Components.SecuritySchemes = b.securitySchemes(); doc.Components.SecuritySchemes == nil {
		doc.Security = openapi3.SecurityRequirements{} // so that readers know that credentials were not forgotten
	}
	return b, nil
}

// build adds the API, and runs the user's functions over what was built of it.
func (b *builder) build() error {
	for _, r := range b.api.Resources {
		b.resource(r)
	}
	components, err := b.components()
	if err != nil {
		return err
	}
	b.doc.Components.Schemas = components
	b.shared.components(b.doc.Components)
	errs := b.mistakes
	for _, op := range b.changed {
		errs = append(errs, b.change(op))
	}
	if b.customize != nil {
		errs = append(errs, guard("Customize", func() { b.customize(b.doc) }))
	}
	if err := errors.Join(errs...); err != nil || len(errs) == 0 {
		return err
	}
	exemplify(b.doc)
	return nil
}

// validate checks the document by the specification. Examples and defaults are left out:
// those of tags have been checked by the rules already, and kin-openapi judges values by
// schemas of OpenAPI 3.0 where a 3.1 one refers to others.
func validate(doc *openapi3.T) error {
	if err := openapi3.NewLoader().ResolveRefsIn(doc, nil); err != nil {
		return fmt.Errorf("the document refers to what is not there: %w", err)
	}
	if err := doc.Validate(context.Background(), openapi3.DisableExamplesValidation(), openapi3.DisableSchemaDefaultsValidation()); err != nil {
		return fmt.Errorf("the document is not valid: %w", err)
	}
	return nil
}

// guard runs a function of the user's and returns its panic as an error.
func guard(what string, run func()) (err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("%s panicked: %v", what, cause)
		}
	}()
	run()
	return nil
}

// order returns the order of the finished document.
func (b *builder) order() *encode.Order {
	o := encode.NewOrder()
	for _, r := range b.api.Resources {
		for _, op := range r.Operations {
			for _, f := range slices.Concat(op.Readers, op.Formats) {
				o.AddMediaTypes(&f.Format)
			}
		}
	}
	o.Paths, o.Responses = b.paths, b.responses
	for _, d := range b.definitions {
		o.Schemas = append(o.Schemas, d.Name)
		for _, p := range d.Schema.Properties {
			o.Members[d.Name] = append(o.Members[d.Name], p.Name)
		}
	}
	return o
}

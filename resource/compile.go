package resource

import (
	"reflect"
	"slices"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/internal/check"
	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/naming"
	"github.com/trove-api/trove/internal/parameters"
	"github.com/trove-api/trove/internal/uritemplate"
)

// compile makes the model for routes and document in phases. Each phase finishes for all declarations before the next
// one begins, so that a declaration can refer to any other. The last phase, routes, is New's. It also returns the
// formats of all lists, compiled for the API.
func compile(config Config, declarations []Declaration) (*compiled.API, []*compiled.Format, error) {
	api, err := config.compile()
	c := newCompiler(config, api)
	c.note("Config", err)
	api.FormatAPI = &format.API{Prefix: api.Prefix}
	api.Formats = c.formatsOf("Config", c.config.Formats)
	c.prepareRules(config)

	c.declare(declarations)
	c.each(c.models)
	c.ruledBy = c.findRules()
	api.Ruled = c.ruledBy != ""
	c.link()
	c.each(c.values)
	c.together()
	c.each(c.operations)
	c.each(c.elements)
	c.each(c.writes)
	c.committed()
	c.linkPaths()
	c.checkStructRules()
	c.checkIDs()
	c.wrap()
	c.checkViewNames()
	c.checkRoutes()
	c.formatIndex()
	if err = c.err(); err == nil {
		c.finish()
		c.listen()
		c.advise()
		c.warn()
	}
	return api, c.formatted, err
}

// warn logs what New accepts but is a mistake in production, and what probably is one everywhere: a unique secret, which
// a 409 confirms to a client that guesses it.
func (c *compiler) warn() {
	for _, r := range c.model.Resources {
		for _, f := range r.Struct.Fields {
			if f.WriteOnly && f.Unique && !f.Hidden && !f.Indexed {
				c.model.Logger.Warn("a unique writeonly field lets clients find out by a 409 that another record has a value; "+
					"use index instead of unique, or hidden, or add index to silence this warning",
					"resource", r.ShortName, "field", f.Name)
			}
		}
	}
}

// formatIndex adds the formats of single resources and operations to those of the index, so that clients of such a
// format have an entry point. The documentation of JSON-LD links to it too.
func (c *compiler) formatIndex() {
	for _, f := range c.formatted {
		if f.Index != nil && !slices.ContainsFunc(c.model.Formats, func(known *compiled.Format) bool {
			return f.MediaType == known.MediaType || f.Suffix != "" && f.Suffix == known.Suffix
		}) {
			c.model.Formats = append(c.model.Formats, f)
		}
	}
}

// compiler makes an API from declarations and collects all errors.
type compiler struct {
	config      Config
	model       *compiled.API
	checks      *check.Compiler // nil if the rules of the config are invalid
	plurals     *naming.Plurals
	declared    []*declared // the declarations of the current phase
	turn        int         // the declaration that errors belong to
	mistakes    []noted
	recordTypes map[int]reflect.Type // the types of all declarations, by turn

	incomplete bool // a type could not be compiled, so the types that it would use are unknown

	ruledBy string // why every operation needs an access rule; "" if none does

	names        map[string]*compiled.Resource // the first resource of each short name
	links        links
	parentsViews map[parentsView]*model.View
	misplaced    map[*compiled.Operation]bool          // their template is invalid; they have that of their kind
	templates    map[string]*uritemplate.Template      // by their text
	noParameters map[*model.Struct]*parameters.Set     // of operations without parameters
	sources      map[reflect.Type]*compiled.Source     // of types that handlers read and return
	lists        map[*compiled.Source]*compiled.Source // of lists of these
	shared       map[*model.Struct]bool                // structs of stores in use; two resources need one each
	completed    map[*format.Format][]*compiled.Format // by the first format of their list
	formatted    []*compiled.Format                    // the same, in order
	views        map[string]*namedView                 // of users, by name
}

// declared is a declaration that is being compiled.
type declared struct {
	definition
	where    string // prefix of errors: the short name
	turn     int
	resource *compiled.Resource
	isValid  bool // its struct is valid
}

func newCompiler(config Config, api *compiled.API) *compiler {
	if config.Formats == nil {
		config.Formats = format.Standard()
	}
	return &compiler{
		config: config, model: api, recordTypes: map[int]reflect.Type{}, names: map[string]*compiled.Resource{},
		links:        links{paths: map[*model.Struct]*uritemplate.RecordPath{}, linked: map[*model.Struct]bool{}},
		parentsViews: map[parentsView]*model.View{},
		templates:    map[string]*uritemplate.Template{}, noParameters: map[*model.Struct]*parameters.Set{},
		shared: map[*model.Struct]bool{}, sources: map[reflect.Type]*compiled.Source{},
		lists:     map[*compiled.Source]*compiled.Source{},
		completed: map[*format.Format][]*compiled.Format{},
		views:     map[string]*namedView{},
		misplaced: map[*compiled.Operation]bool{},
	}
}

// each runs a phase for one declaration after the other. The phase reports whether later phases can continue with the
// declaration.
func (c *compiler) each(phase func(*declared) bool) {
	var left []*declared
	for _, d := range c.declared {
		c.turn = d.turn
		if phase(d) {
			left = append(left, d)
		}
	}
	c.declared, c.turn = left, ofAll
}

func (c *compiler) prepareRules(config Config) {
	var err error
	c.plurals = naming.NewPlurals()
	if c.checks, err = check.New(config.Rules); err != nil {
		c.note("Config: Rules", err)
		c.checks = nil
	}
}

// checkStructRules checks that each validation.Struct rule is for a struct of a body or of parameters. It checks nothing if
// not all structs are known.
func (c *compiler) checkStructRules() {
	if c.checks == nil || c.incomplete {
		return
	}
	c.turn = ofConfig
	for _, t := range c.checks.UnusedStructs() {
		c.fail("Config: Rules", "validation.Struct is for %s, which no body or parameter uses; "+
			"allowed: the struct of a resource, of a handler's In or of Parameters, or a nested one", t)
	}
	c.turn = ofAll
}

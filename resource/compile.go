package resource

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/internal/authz"
	"github.com/trove-api/trove/internal/check"
	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/naming"
	"github.com/trove-api/trove/internal/serve"
	"github.com/trove-api/trove/internal/uritemplate"
	"github.com/trove-api/trove/operation"
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
	if c.checks, err = check.New(config.Rules); err != nil {
		c.note("Config: Rules", err)
		c.checks = nil
	}
	for i, declaration := range declarations {
		c.turn = i + 1
		if isNil(declaration) {
			c.note("", fmt.Errorf("declaration %d is nil", i+1))
			continue
		}
		d := &declared{definition: declaration.declare(), turn: i + 1}
		c.declared, c.recordTypes[d.turn] = append(c.declared, d), d.record
	}

	c.each(c.models)
	c.ruledBy = c.findRules()
	api.Ruled = c.ruledBy != ""
	c.link()
	c.each(c.values)
	c.together()
	c.each(c.operations)
	c.each(c.elements)
	c.nest()
	c.each(c.writes)
	c.committed()
	c.linkPaths()
	c.checkStructRules()
	c.checkIDs()
	c.wrap()
	c.checkViewNames()
	c.checkRoutes()
	c.checkAggregates()
	// Clients of formats of single resources and operations have an entry point too. The documentation of JSON-LD links to it.
	for _, f := range c.formatted {
		if f.Index != nil && !slices.ContainsFunc(api.Formats, func(known *compiled.Format) bool {
			return f.MediaType == known.MediaType || f.Suffix != "" && f.Suffix == known.Suffix
		}) {
			api.Formats = append(api.Formats, f)
		}
	}
	if err = c.err(); err == nil {
		c.finish()
		c.listen()
		advise(c.model, c.declared)
		warnOfSecrets(c.model)
	}
	return api, c.formatted, err
}

// warnOfSecrets logs what New accepts but is a mistake in production, and what probably is one everywhere: a unique secret, which
// a 409 confirms to a client that guesses it.
func warnOfSecrets(api *compiled.API) {
	for _, r := range api.Resources {
		for _, f := range r.Struct.Fields {
			isUnique := f.Unique || slices.ContainsFunc(r.Struct.Constraints, func(c *model.RecordConstraint) bool {
				return c.Unique && slices.Contains(c.Fields, f)
			})
			if f.WriteOnly && isUnique && !f.Hidden && !f.Indexed {
				api.Logger.Warn("a unique writeonly field lets clients find out by a 409 that another record has a value; "+
					"use index instead of unique, or hidden, or add index to silence this warning",
					"resource", r.ShortName, "field", f.Name)
			}
		}
	}
}

// compiler makes an API from declarations and collects all errors.
type compiler struct {
	*mistakes

	config   Config
	model    *compiled.API
	checks   *check.Compiler // nil if the rules of the config are invalid
	plurals  *naming.Plurals
	declared []*declared // the declarations of the current phase

	incomplete bool // a type could not be compiled, so the types that it would use are unknown

	rules   *authz.Compiler
	ruledBy string // why every operation needs an access rule; "" if none does

	names     map[string]*compiled.Resource // the first resource of each short name
	links     links
	misplaced map[*compiled.Operation]bool          // their template is invalid; they have that of their kind
	templates map[string]*uritemplate.Template      // by their text
	sources   map[reflect.Type]*compiled.Source     // of types that handlers read and return
	completed map[*format.Format][]*compiled.Format // by the first format of their list
	formatted []*compiled.Format                    // the same, in order
	views     map[string]*namedView                 // of users, by name
}

// declared is a declaration that is being compiled.
type declared struct {
	definition
	where    string // prefix of errors: the short name
	turn     int
	resource *compiled.Resource
	isValid  bool // its struct is valid
	isBroken bool // its store has errors
}

func newCompiler(config Config, api *compiled.API) *compiler {
	if config.Formats == nil {
		config.Formats = format.Standard()
	}
	return &compiler{
		mistakes: &mistakes{recordTypes: map[int]reflect.Type{}}, config: config, model: api, plurals: naming.NewPlurals(), names: map[string]*compiled.Resource{},
		links:     links{paths: map[*model.Struct]*uritemplate.RecordPath{}, linked: map[*model.Struct]bool{}},
		templates: map[string]*uritemplate.Template{},
		sources:   map[reflect.Type]*compiled.Source{},
		completed: map[*format.Format][]*compiled.Format{},
		views:     map[string]*namedView{},
		misplaced: map[*compiled.Operation]bool{}, rules: &authz.Compiler{Schemes: config.Authentication},
	}
}

// each runs a phase for one declaration after the other. The phase reports whether later phases can continue with the
// declaration.
func (c *compiler) each(phase func(*declared) bool) {
	var left []*declared
	c.visit(func(d *declared) {
		if phase(d) {
			left = append(left, d)
		}
	})
	c.declared = left
}

// visit calls a function for one declaration after the other, which errors are about then.
func (c *compiler) visit(fn func(*declared)) {
	for _, d := range c.declared {
		c.turn = d.turn
		fn(d)
	}
	c.turn = ofAll
}

// find returns the declaration of the resource with a struct, nil for none.
func find(all []*declared, s *model.Struct) *declared {
	for _, d := range all {
		if s != nil && d.resource.Struct == s {
			return d
		}
	}
	return nil
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

// wrap sets the middleware of operations. It runs when they have their ids.
func (c *compiler) wrap() {
	if len(c.config.Around) == 0 {
		return
	}
	var ids []string
	operations := map[string]*compiled.Operation{}
	for op := range c.model.Operations() {
		ids = append(ids, op.ID)
		operations[op.ID] = op
	}
	isWhole := len(c.list) == 0 // else operations may be missing
	for i, around := range c.config.Around {
		if len(around.Operations) == 0 {
			c.fail("Config", "Around[%d] has no Operations; list their ids, or use Middleware for all requests", i)
		}
		if around.Middleware == nil {
			c.fail("Config", "Around[%d].Middleware must not be nil", i)
			continue
		}
		handler := serve.Around(around.Middleware)
		if handler == nil {
			c.fail("Config", "Around[%d].Middleware must not return nil", i)
		}
		for _, id := range around.Operations {
			if op := operations[id]; op != nil {
				op.Around = append(op.Around, handler)
			} else if isWhole {
				c.fail("Config", "Around[%d]: operation %q does not exist%s", i, id, naming.Allowed(id, ids))
			}
		}
	}
}

// link is the phase after models, when every resource is known by its name. It reports duplicate names and resolves
// references.
func (c *compiler) link() {
	c.visit(func(d *declared) {
		r := d.resource
		switch other := c.names[r.ShortName]; {
		case r.Struct == nil || r.Struct.ID == nil:
		case other == nil:
			c.names[r.ShortName] = r
		default:
			types := ""
			if other.Struct.Go != r.Struct.Go {
				types = fmt.Sprintf(", for %s and %s; set ShortName on one", other.Struct.Go, r.Struct.Go)
			}
			c.note("", fmt.Errorf("resource %q is declared twice%s", r.ShortName, types))
		}
	})
	c.linkReferences()
}

// checkIDs reports operations with the same id in the document. It skips resources with the same name, which are already
// reported.
func (c *compiler) checkIDs() {
	ids := make(map[string]*compiled.Operation, 6*len(c.model.Resources))
	for _, r := range c.model.Resources {
		if c.names[r.ShortName] != r {
			continue
		}
		for _, op := range r.Operations {
			if c.misplaced[op] {
				continue
			}
			if other, taken := ids[op.ID]; taken && op.Name == "" {
				op.ID = idByShape(c.plurals, op, other)
			}
			if other, taken := ids[op.ID]; taken {
				c.turn = find(c.declared, r.Struct).turn
				c.fail(r.ShortName, "two operations have the id %s, at %s and %s; set Name on one",
					op.ID, describeRoute(other), describeRoute(op))
			}
			ids[op.ID] = op
		}
	}
	c.turn = ofAll
}

// idByShape returns the id of an operation without a name, if another operation has the usual id: it adds the View,
// Output or Input in which the two differ.
func idByShape(plurals *naming.Plurals, op, other *compiled.Operation) string {
	shape := ""
	switch {
	case titleOf(op) != titleOf(other):
		shape = titleOf(op)
	case op.Output != nil && op.Output != other.Output:
		_, out := op.Output.Types()
		shape = naming.TypeName(out)
	case op.Input != nil && op.Input != other.Input:
		_, in := op.Input.Types()
		shape = naming.TypeName(in)
	}
	if shape == "" {
		return op.ID
	}
	own := op.Resource.ShortName
	if op.Kind == operation.KindGetCollection {
		shape, own = plurals.Name(shape), op.Resource.PluralName
	}
	verb := strings.TrimSuffix(op.ID, own)
	return verb + op.Resource.ShortName + naming.Capital(strings.TrimPrefix(shape, op.Resource.ShortName))
}

// titleOf returns the name of the view of an operation's responses, "" for none.
func titleOf(op *compiled.Operation) string {
	if op.Out == nil || op.Out.View == nil {
		return ""
	}
	return op.Out.View.Title
}

// checkRoutes reports operations with the same method and path. It skips those with the same id, which are already
// reported.
func (c *compiler) checkRoutes() {
	type route struct{ method, shape string }
	served := make(map[route]*compiled.Operation, 6*len(c.model.Resources))
	for op := range c.model.Operations() {
		if c.misplaced[op] {
			continue
		}
		at := route{op.Method, op.Template.Shape()}
		if other, taken := served[at]; taken && other.ID != op.ID {
			c.turn = find(c.declared, op.Resource.Struct).turn
			c.fail(op.Resource.ShortName, "the operations %s and %s have the same route %s; set URITemplate on one, or ShortName",
				op.ID, other.ID, describeRoute(op))
		}
		served[at] = op
	}
	c.turn = ofAll
}

func describeRoute(op *compiled.Operation) string {
	return fmt.Sprintf("%s %s", op.Method, op.Path())
}

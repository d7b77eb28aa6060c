package resource

import (
	"cmp"
	"errors"
	"fmt"
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

// compile makes the model that routes and document are made of, in phases. Each is over for
// all declarations before the next one begins, so that what is compiled in one may look at
// whatever those before have made, of any declaration. The last phase, routes, is New's.
// The formats are those of all lists, as they are for the API.
func compile(config Config, declarations []Declaration) (*compiled.API, []*compiled.Format, error) {
	api, err := config.compile()
	c := newCompiler(config, api)
	c.note("config", err)
	api.Told = &format.API{Prefix: api.Prefix}
	api.Formats = c.formatsOf("config", c.config.Formats)
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
	c.address()
	c.checkStructRules()
	c.checkIDs()
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

// warn logs what New accepts, but what is probably not meant: a unique secret, which a 409 confirms to those who guess it.
func (c *compiler) warn() {
	for _, r := range c.model.Resources {
		for _, f := range r.Struct.Fields {
			if f.WriteOnly && f.Unique && !f.Hidden && !f.Indexed {
				c.model.Logger.Warn("a unique writeonly field tells clients by a 409 that another record has a value; "+
					"use index in place of unique, or hidden, or add index to keep both",
					"resource", r.ShortName, "field", f.Name)
			}
		}
	}
}

// formatIndex lets the index also be in the formats of single resources and operations: whoever speaks one has an
// entry point, to which the documentation of JSON-LD leads, too.
func (c *compiler) formatIndex() {
	for _, f := range c.formatted {
		if f.Index != nil && !slices.ContainsFunc(c.model.Formats, func(known *compiled.Format) bool {
			return f.MediaType == known.MediaType || f.Suffix != "" && f.Suffix == known.Suffix
		}) {
			c.model.Formats = append(c.model.Formats, f)
		}
	}
}

// compiler makes an API of declarations and gathers every mistake on the way.
type compiler struct {
	config   Config
	model    *compiled.API
	checks   *check.Compiler // nil where the config's rules are mistaken
	plurals  *naming.Plurals
	declared []*declared // that the phase goes on with
	turn     int         // whose mistakes are being found
	mistakes []mistake

	ruledBy string // why every operation needs an access rule; "" where none does

	names        map[string]*compiled.Resource // the first of each short name
	links        links
	spared       map[spared]*model.View
	drafts       map[*compiled.Operation]*draft        // of every operation
	templates    map[string]*uritemplate.Template      // by their text
	noParameters map[*model.Struct]*parameters.Set     // of operations without any
	sources      map[reflect.Type]*compiled.Source     // of what handlers read and answer
	lists        map[*compiled.Source]*compiled.Source // of their lists
	shared       map[*model.Struct]bool                // those of stores that a resource has; two resources have one each
	completed    map[*format.Format][]*compiled.Format // by the first of their list
	formatted    []*compiled.Format                    // the same, in the order in which they were met
	views        map[string]*namedView                 // of users, by their names
}

// declared is a declaration on its way through the phases.
type declared struct {
	definition
	where    string // in mistakes
	turn     int
	resource *compiled.Resource
	isWhole  bool // its struct has no mistake
}

// mistake is one in the config, in a declaration or of declarations together. They are told
// in this order, whatever phase found them.
type mistake struct {
	turn int
	err  error
}

// Turns of mistakes: that of a declaration is its number from 1.
const (
	ofConfig = 0
	ofAll    = 1 << 30
)

func newCompiler(config Config, api *compiled.API) *compiler {
	if config.Formats == nil {
		config.Formats = format.Standard()
	}
	return &compiler{
		config: config, model: api, names: map[string]*compiled.Resource{},
		links:     links{addresses: map[*model.Struct]*uritemplate.Address{}, whole: map[*model.Struct]bool{}},
		spared:    map[spared]*model.View{},
		templates: map[string]*uritemplate.Template{}, noParameters: map[*model.Struct]*parameters.Set{},
		shared: map[*model.Struct]bool{}, sources: map[reflect.Type]*compiled.Source{},
		lists:     map[*compiled.Source]*compiled.Source{},
		completed: map[*format.Format][]*compiled.Format{},
		views:     map[string]*namedView{},
		drafts:    map[*compiled.Operation]*draft{},
	}
}

// each runs a phase that compiles one declaration after the other. The phase reports whether
// later ones can go on with it.
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

// err joins all mistakes.
func (c *compiler) err() error {
	slices.SortStableFunc(c.mistakes, func(a, b mistake) int { return cmp.Compare(a.turn, b.turn) })
	errs := make([]error, len(c.mistakes))
	for i, mistake := range c.mistakes {
		errs[i] = mistake.err
	}
	return errors.Join(errs...)
}

// note keeps the mistakes that err is or joins, each with where it was made. What several operations take over from
// their resource is reported once.
func (c *compiler) note(where string, err error) {
	joined, ok := err.(interface{ Unwrap() []error })
	switch {
	case err == nil:
	case ok:
		for _, each := range joined.Unwrap() {
			c.note(where, each)
		}
	default:
		told := fmt.Errorf("%s: %w", where, err)
		if !slices.ContainsFunc(c.mistakes, func(m mistake) bool { return m.turn == c.turn && m.err.Error() == told.Error() }) {
			c.mistakes = append(c.mistakes, mistake{c.turn, told})
		}
	}
}

func (c *compiler) fail(where, format string, args ...any) {
	c.note(where, fmt.Errorf(format, args...))
}

// noteStore keeps the mistakes that a store tells of itself, each once: some tell the same
// one to every question.
func (c *compiler) noteStore(where string, d *definition, err error) {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		for _, each := range joined.Unwrap() {
			c.noteStore(where, d, each)
		}
		return
	}
	if err != nil && !d.storeMistakes[err.Error()] {
		d.storeMistakes[err.Error()] = true
		c.note(where+": store", err)
	}
}

func (c *compiler) prepareRules(config Config) {
	var err error
	c.plurals = naming.NewPlurals()
	if c.checks, err = check.New(config.Rules); err != nil {
		c.note("config: Rules", err)
		c.checks = nil
	}
}

// checkStructRules checks that rules over structs are over some that bodies or parameters
// hold. Where declarations have mistakes not all of these are known.
func (c *compiler) checkStructRules() {
	if c.checks == nil || slices.ContainsFunc(c.mistakes, func(m mistake) bool { return m.turn < ofAll }) {
		return
	}
	c.turn = ofConfig
	for _, t := range c.checks.Unheld() {
		c.fail("config: Rules", "validation.Struct is for %s, which nothing holds; "+
			"allowed: the struct of a resource, of a handler's In or of Parameters, or one within", t)
	}
	c.turn = ofAll
}

package resource

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/internal/authz"
	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/naming"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/store"
)

// findRules returns why every operation needs an access rule: a scheme, or a rule anywhere. It returns "" for an API
// without either, which is open to everyone.
func (c *compiler) findRules() string {
	if len(c.config.Authentication) > 0 {
		return "Config.Authentication has a scheme"
	}
	for _, d := range c.declared {
		owns := func(o operation.Operation) bool { return !isNil(o) && o.Metadata().Access != nil }
		if d.access.Read != nil || d.access.Create != nil || d.access.Update != nil || d.access.Delete != nil || d.access.Deleted != nil ||
			len(d.access.Fields) > 0 || slices.ContainsFunc(d.operations, owns) {
			return "resource " + d.where + " has an access rule"
		}
	}
	return ""
}

// checkRuled checks that each operation of a resource has a rule if the API needs them. It reports all operations in
// one line.
func (c *compiler) checkRuled(where string, r *compiled.Resource) {
	if c.ruledBy == "" {
		return
	}
	var operations, fields []string
	for _, op := range r.Operations {
		if op.Access != nil {
			continue
		}
		operations = append(operations, fmt.Sprintf("%s (%s)", op.ID, op.Kind))
		if _, field := ruleOf(access.Rules{}, &operation.Metadata{}, op); !slices.Contains(fields, field) {
			fields = append(fields, field)
		}
	}
	if operations != nil {
		c.fail(where, "no access rule for %s, which every operation needs because %s; set %s of the resource, or Access of the operation; "+
			"access.Public allows everyone", strings.Join(operations, ", "), c.ruledBy, strings.Join(fields, ", "))
	}
}

// access compiles the access rules of an operation.
func (o *operationCompiler) access() {
	rule, name := ruleOf(o.definition.access, o.metadata, o.Operation)
	o.Access = rule
	made := compiled.Gate{}
	reads := o.Reads && (o.Item || !o.Custom || o.Pages)
	switch {
	case reads:
		made.Read = o.c.rule(o.where, name, rule, o.Resource, authz.Reads)
		checkQueries(o.c.mistakes, o.where, o.definition, made.Read, o.Operation)
	case o.Custom && !o.Item:
		made.Act = o.c.rule(o.where, name, rule, o.Resource, authz.NoRecord)
	default:
		made.Act = o.c.rule(o.where, name, rule, o.Resource, authz.Changes)
	}
	if !reads && o.Item {
		made.Read = o.c.rule(o.where, "Access.Read", o.definition.access.Read, o.Resource, authz.Reads)
	}
	if made.Create = made.Act; o.AllowCreate && o.metadata.Access == nil {
		made.Create = o.c.rule(o.where, "Access.Create", o.definition.access.Create, o.Resource, authz.Changes)
	}
	if made != (compiled.Gate{}) {
		o.Gate = &made
	}
	for _, rule := range []*authz.Rule{made.Act, made.Create} {
		checkBehind(o.c.mistakes, o.where, o.definition, rule)
	}
	if !isNil(o.metadata.When) && o.changesRecords() { // without a record, another error reports it
		o.When = o.c.when(o.where, o.metadata.When, o.Operation)
	}
	if o.When != nil {
		checkBehind(o.c.mistakes, o.where, o.definition, o.When.Rule)
	}
	// The user's functions may look at the caller, unless CacheControl lets caches share the response.
	shared := strings.ToLower(cmp.Or(o.metadata.CacheControl, o.definition.defaults.CacheControl))
	mayDiffer := o.c.ruledBy != "" && o.Out != nil && (o.Output != nil || o.Computes || computesWithin(o.Expansions)) &&
		!strings.Contains(shared, "public") && !strings.Contains(shared, "s-maxage")
	o.Private = mayDiffer || made.Read.IsPersonal() || made.Act.IsPersonal() || o.Resource.Gate.IsPersonal() ||
		o.When != nil && o.When.Rule.IsPersonal() || (o.TakesDeleted() || o.OfTrash()) && o.Resource.Deleted.IsPersonal()
}

// when compiles a condition on the records of an operation; nil for one that always holds.
func (c *compiler) when(where string, declared access.Rule, op *compiled.Operation) *compiled.When {
	if compiled.IsOpen(declared) {
		return nil
	}
	rule, err := c.rules.Compile(declared, op.Resource.Struct, authz.Changes)
	if err != nil {
		c.note(where+": When", err)
		return nil
	}
	return compiled.NewWhen(rule, declared, op.Resource.Struct)
}

// rule compiles a rule. An error in a rule of the resource is reported once, with all settings that have the rule.
func (c *compiler) rule(where, name string, rule access.Rule, of *compiled.Resource, use authz.Use) *authz.Rule {
	if compiled.IsOpen(rule) { // requests skip a rule that allows everyone
		return nil
	}
	made, err := c.rules.Compile(rule, of.Struct, use)
	if err == nil {
		return made
	}
	if name == "Access" || use == authz.NoRecord { // that the operation has no record is its own error
		c.note(where+": "+name, err)
	} else {
		c.noteSetting(of, name, err)
	}
	return nil
}

// checkStamp checks that a scheme can provide the principals of a Stamp. Otherwise it would never run.
func (c *compiler) checkStamp(where string, stamp compiled.Stamper) {
	if stamp == nil {
		return
	}
	if !stamp.Defined() {
		c.fail(where, "the function of Stamp is nil")
	}
	if err := c.rules.CheckPrincipal(stamp.Principal()); err != nil {
		c.fail(where, "Stamp is %w", err)
	}
}

// checkQueries checks that the store of a resource supports the conditions of the rules.
func checkQueries(errs *mistakes, where string, d *definition, read *authz.Rule, op *compiled.Operation) {
	if !op.Pages {
		return
	}
	query := store.Query{}
	var groups bool
	query.Where, groups = read.PossibleConditions()
	asked, hides := op.Resource.Gate.PossibleConditions()
	query.Where, groups = append(query.Where, asked...), groups || hides
	if groups && !d.store.Groups {
		errs.noteOperation(where, op.Resource, errors.New("the access rules need groups of conditions, which the store does not support; implement store.Grouper"))
	}
	if len(query.Where) > 0 && d.store.QueryChecker != nil {
		errs.noteStore(where, d, d.store.QueryChecker.CheckQuery(query))
	}
}

// checkBehind checks that the store of a resource supports the conditions of a rule that looks at other records, also if
// the rule is only about single records: it finds the others by queries.
func checkBehind(errs *mistakes, where string, d *definition, rule *authz.Rule) {
	if rule.LooksBehind() && d.store.QueryChecker != nil {
		conditions, _ := rule.PossibleConditions()
		errs.noteStore(where, d, d.store.QueryChecker.CheckQuery(store.Query{Where: conditions}))
	}
}

// fieldRules compiles the access rules of fields.
func (c *compiler) fieldRules(where string, d *definition, r *compiled.Resource) {
	declared := d.access.Fields
	if len(declared) == 0 {
		return
	}
	made := &authz.Fields{}
	for _, f := range r.Struct.Fields {
		rules, ok := declared[f.Name]
		if !ok {
			continue
		}
		at := where + ": Access.Fields[" + f.Name + "]"
		checkFieldRules(c.mistakes, at, f, rules)
		read, err := c.rules.Compile(rules.Read, r.Struct, authz.Reads)
		c.noteSetting(r, "Access.Fields["+f.Name+"]: Read", err)
		write, err := c.rules.Compile(rules.Write, r.Struct, authz.Changes)
		c.noteSetting(r, "Access.Fields["+f.Name+"]: Write", err)
		checkBehind(c.mistakes, at, d, read)
		checkBehind(c.mistakes, at, d, write)
		made.Add(f, read, write)
		f.Guarded = true
	}
	for _, name := range slices.Sorted(maps.Keys(declared)) {
		switch top, _, isNested := strings.Cut(name, "."); {
		case r.Struct.Field(name) != nil:
		case isNested && r.Struct.Field(top) != nil:
			c.fail(where, "Access.Fields has the nested field %q; use %q, whose rules include everything in it", name, top)
		default:
			c.fail(where, "Access.Fields has the unknown field %q%s", name,
				naming.Allowed(name, r.Struct.Names(func(*model.Field) bool { return true })))
		}
	}
	if len(made.List) > authz.MaxFields {
		c.fail(where, "Access.Fields has %d fields; allowed: %d", len(made.List), authz.MaxFields)
	}
	r.Gate = made
}

// checkFieldRules checks that the rules of a field have an effect.
func checkFieldRules(errs *mistakes, where string, f *model.Field, rules access.Field) {
	switch {
	case rules.Read == nil && rules.Write == nil:
		errs.fail(where, "set Read or Write, or remove the field")
	case f.Identifier && rules.Read != nil:
		errs.fail(where, "Read has no effect on the identifier, which paths contain")
	case f.Hidden:
		errs.fail(where, "a rule has no effect on a hidden field")
	case f.WriteOnly && rules.Read != nil:
		errs.fail(where, "Read has no effect on a writeonly field")
	case f.ReadOnly && rules.Write != nil:
		errs.fail(where, "Write has no effect on a readonly field")
	}
}

var (
	schemeName = regexp.MustCompile(`^[A-Za-z0-9._-]+$`)             // of a component in an OpenAPI document
	token      = regexp.MustCompile("^[A-Za-z0-9!#$%&'*+.^_`|~-]+$") // RFC 9110, section 5.6.2
)

// schemes checks the authentication schemes, and sets the header fields that responses vary by.
func (c Config) schemes(api *compiled.API, fail func(string, ...any)) {
	var fields []string
	for i, scheme := range c.Authentication {
		if scheme.Kind == "" {
			fail("Authentication: scheme %d is empty; make it with a function of package access, such as access.Bearer", i+1)
			continue
		}
		checkScheme(scheme, func(format string, args ...any) {
			fail("Authentication: scheme %q: "+format, append([]any{scheme.Name}, args...)...)
		})
		same := func(other access.Scheme) bool { return other.Name == scheme.Name }
		if slices.ContainsFunc(c.Authentication[:i], same) {
			fail("Authentication: two schemes have the name %q", scheme.Name)
		}
		if scheme.Kind == "token" && slices.ContainsFunc(c.Authentication[:i], func(other access.Scheme) bool {
			return other.Kind == "token" && strings.EqualFold(other.Field, scheme.Field)
		}) {
			fail("Authentication: two schemes use the word %q before the token, and the second would never be called", scheme.Field)
		}
		field := cmp.Or(map[string]string{"apikey": scheme.Field, "cookie": "Cookie"}[scheme.Kind], "Authorization")
		if !slices.Contains(fields, field) {
			fields = append(fields, field)
		}
	}
	if fields == nil { // middleware may authenticate by either
		fields = []string{"Authorization", "Cookie"}
	}
	api.Vary = []string{strings.Join(append([]string{"Accept"}, fields...), ", ")}
}

// reservedFields lists header fields that cannot carry an API key because they have another use.
var reservedFields = []string{"authorization", "cookie", "host", "content-type", "content-length", "accept"}

func checkScheme(scheme access.Scheme, fail func(string, ...any)) {
	if !schemeName.MatchString(scheme.Name) {
		fail("the name must have letters, digits, \".\", \"_\" and \"-\"")
	}
	if scheme.Authenticate == nil {
		fail("the function is nil")
	}
	for _, err := range joined(scheme.Err) {
		fail("%w", err)
	}
	switch scheme.Kind {
	case "apikey":
		if !token.MatchString(scheme.Field) || slices.Contains(reservedFields, strings.ToLower(scheme.Field)) {
			fail("the header field %q is not allowed; use one without another meaning, such as \"X-API-Key\"", scheme.Field)
		}
	case "cookie":
		if !token.MatchString(scheme.Field) {
			fail("the cookie name %q is not allowed; use letters and digits (RFC 6265)", scheme.Field)
		}
	case "token":
		if word := strings.ToLower(scheme.Field); !token.MatchString(word) || word == "bearer" || word == "basic" {
			fail("the word %q is not allowed; use letters and digits (RFC 9110), or access.Bearer or access.Basic for their own words", scheme.Field)
		}
	case "oauth2":
		if scheme.Flows == (access.Flows{}) {
			fail("Flows is empty; set at least one of its fields")
		}
	case "openidconnect":
		if !strings.HasPrefix(scheme.URL, "https://") && !strings.HasPrefix(scheme.URL, "http://") {
			fail("the URL %q must be absolute", scheme.URL)
		}
	}
}

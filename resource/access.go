package resource

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/gate"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/naming"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/store"
)

// ruleOf returns who may do an operation: its own rule, else that of the resource for its
// verb, and the name of that. A writing handler with a record may change it, so Update guards it; one
// without a record may create some, so Create does. Read guards every handler that only reads.
func ruleOf(rules access.Rules, m *operation.Metadata, op *compiled.Operation) (rule access.Rule, name string) {
	switch {
	case m.Access != nil:
		return m.Access, "Access"
	case op.Reads:
		return rules.Read, "Access.Read"
	case op.Custom && !op.Item:
		return rules.Create, "Access.Create"
	case op.Custom:
		return rules.Update, "Access.Update"
	case op.Kind == operation.KindPost:
		return rules.Create, "Access.Create"
	case op.Kind == operation.KindDelete && op.Membership == nil:
		return rules.Delete, "Access.Delete"
	}
	return rules.Update, "Access.Update"
}

// hasRules reports whether a resource has a rule for a verb.
func hasRules(rules access.Rules) bool {
	return rules.Read != nil || rules.Create != nil || rules.Update != nil || rules.Delete != nil
}

// findRules returns what makes a rule for every operation a duty: a scheme, or a rule anywhere. It is "" for an
// API without either, which is open to everyone.
func (c *compiler) findRules() string {
	if len(c.config.Authentication) > 0 {
		return "Config.Authentication has a scheme"
	}
	for _, d := range c.declared {
		owns := func(o operation.Operation) bool { return !isNil(o) && o.Metadata().Access != nil }
		if hasRules(d.access) || len(d.access.Members) > 0 || slices.ContainsFunc(d.operations, owns) {
			return d.where + " declares an access rule"
		}
	}
	return ""
}

// checkRuled checks that each operation of a resource has a rule, if anything in the API has one. It reports all
// operations in one line.
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
		c.fail(where, "no access rule for %s; every operation needs one because %s; set %s of the resource, or Access of the operation; "+
			"access.Public allows everyone", strings.Join(operations, ", "), c.ruledBy, strings.Join(fields, ", "))
	}
}

// access compiles who may do an operation.
func (c *compiler) access(where string, d *definition, m *operation.Metadata, op *compiled.Operation) {
	rule, name := ruleOf(d.access, m, op)
	op.Access = rule
	made := compiled.Gate{}
	reads := op.Reads && (op.Item || !op.Custom || op.Pages)
	switch {
	case reads:
		made.Read = c.rule(where, name, rule, op, gate.Reads)
		c.checkQueries(where, d, made.Read, op)
	case op.Custom && !op.Item:
		made.Act = c.rule(where, name, rule, op, gate.NoRecord)
	default:
		made.Act = c.rule(where, name, rule, op, gate.Changes)
	}
	if !reads && op.Item {
		made.Read = c.rule(where, "Access.Read", d.access.Read, op, gate.Reads)
	}
	if made.Create = made.Act; op.AllowCreate && m.Access == nil {
		made.Create = c.rule(where, "Access.Create", d.access.Create, op, gate.Changes)
	}
	if made != (compiled.Gate{}) {
		op.Gate = &made
	}
	// Functions of the user's may look at the caller, unless the user lets caches share the response.
	shared := strings.ToLower(cmp.Or(m.CacheControl, d.defaults.CacheControl))
	mayDiffer := c.ruledBy != "" && op.Out != nil && (op.HasOutput || op.Computes || computesWithin(op.Expansions)) &&
		!strings.Contains(shared, "public") && !strings.Contains(shared, "s-maxage")
	op.Private = mayDiffer || made.Read.IsPersonal() || made.Act.IsPersonal() || op.Resource.Gate.IsPersonal()
}

// rule compiles a rule. A mistake in one of the resource's is told once.
func (c *compiler) rule(where, name string, rule access.Rule, op *compiled.Operation, use gate.Use) *gate.Rule {
	if compiled.IsOpen(rule) { // as if there were none: what everyone may do costs no request a question
		return nil
	}
	compiler := gate.Compiler{Schemes: c.config.Authentication}
	made, err := compiler.Compile(rule, op.Resource.Struct, use)
	if err == nil {
		return made
	}
	if strings.HasPrefix(name, "Access.") && use != gate.NoRecord {
		where = "resource " + op.Resource.ShortName
	}
	c.note(where+": "+name, err)
	return nil
}

// checkQueries checks that the store of a resource can answer what rules ask of it.
func (c *compiler) checkQueries(where string, d *definition, read *gate.Rule, op *compiled.Operation) {
	if !op.Pages {
		return
	}
	query := store.Query{}
	var groups bool
	query.Where, groups = read.PossibleConditions()
	asked, hides := op.Resource.Gate.PossibleConditions()
	query.Where, groups = append(query.Where, asked...), groups || hides
	if groups && !d.store.Groups {
		c.fail(where, "the access rules need groups of conditions, which the store does not say that it answers; make it a store.Grouper")
	}
	if len(query.Where) > 0 && d.store.QueryChecker != nil {
		c.noteStore(where, d, d.store.QueryChecker.CheckQuery(query))
	}
}

// members compiles the rules of the members of a resource.
func (c *compiler) members(where string, d *definition, r *compiled.Resource) {
	declared := d.access.Members
	if len(declared) == 0 {
		return
	}
	var names []string
	made := &gate.Fields{}
	compiler := gate.Compiler{Schemes: c.config.Authentication}
	for _, f := range r.Struct.Fields {
		names = append(names, f.Name)
		rules, ok := declared[f.Name]
		if !ok {
			continue
		}
		at := where + ": Access.Members[" + f.Name + "]"
		c.checkMember(at, f, rules)
		read, err := compiler.Compile(rules.Read, r.Struct, gate.Reads)
		c.note(at+": Read", err)
		write, err := compiler.Compile(rules.Write, r.Struct, gate.Changes)
		c.note(at+": Write", err)
		made.Add(f, read, write)
		f.Guarded = true
	}
	for _, name := range slices.Sorted(maps.Keys(declared)) {
		switch top, _, isNested := strings.Cut(name, "."); {
		case slices.Contains(names, name):
		case isNested && slices.Contains(names, top):
			c.fail(where, "Access.Members has %q, which is within another member; allowed: members of the record itself, such as %q with all that is in it",
				name, top)
		default:
			c.fail(where, "Access.Members has %q, which %s does not have; allowed: %s%s", name, r.Struct.Go, strings.Join(names, ", "),
				naming.DidYouMean(name, names))
		}
	}
	if len(made.List) > gate.MaxFields {
		c.fail(where, "Access.Members has %d members; allowed: %d", len(made.List), gate.MaxFields)
	}
	r.Gate = made
}

// checkMember checks that the rules of a member are about something that it lets happen.
func (c *compiler) checkMember(where string, f *model.Field, rules access.Member) {
	switch {
	case rules.Read == nil && rules.Write == nil:
		c.fail(where, "neither Read nor Write is set, so that nothing is kept from anybody; set one, or leave the member out")
	case f.Identifier && rules.Read != nil:
		c.fail(where, "Read is set, but the member is the identifier, which paths show")
	case f.Hidden:
		c.fail(where, "the member is hidden, so that nobody sees or sets it")
	case f.WriteOnly && rules.Read != nil:
		c.fail(where, "Read is set, but the member is writeonly, so that no answer shows it")
	case f.ReadOnly && rules.Write != nil:
		c.fail(where, "Write is set, but the member is readonly, so that no client sets it")
	}
}

var (
	schemeName = regexp.MustCompile(`^[A-Za-z0-9._-]+$`)             // of a component of a document
	token      = regexp.MustCompile("^[A-Za-z0-9!#$%&'*+.^_`|~-]+$") // RFC 9110, section 5.6.2
)

// schemes checks the ways of authentication, and finds the fields of the header that answers
// vary with.
func (c Config) schemes(api *compiled.API, fail func(string, ...any)) {
	var fields []string
	for i, scheme := range c.Authentication {
		if scheme.Kind == "" {
			fail("Authentication: scheme %d is empty; make it by a function of package access, such as access.Bearer", i+1)
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
			fail("Authentication: two schemes have the word %q before their tokens, of which the second one would never be asked", scheme.Field)
		}
		if field := fieldOf(scheme); !slices.Contains(fields, field) {
			fields = append(fields, field)
		}
	}
	if fields == nil { // those of middleware nobody has told
		fields = []string{"Authorization", "Cookie"}
	}
	api.Vary = []string{strings.Join(append([]string{"Accept"}, fields...), ", ")}
}

// fieldOf returns the field of the header that has the credentials of a scheme.
func fieldOf(scheme access.Scheme) string {
	switch scheme.Kind {
	case "apikey":
		return scheme.Field
	case "cookie":
		return "Cookie"
	}
	return "Authorization"
}

// reservedFields are fields of the header that cannot be a key: others read them.
var reservedFields = []string{"authorization", "cookie", "host", "content-type", "content-length", "accept"}

// otherWords are the words before credentials that have schemes of their own.
var otherWords = []string{"bearer", "basic"}

func checkScheme(scheme access.Scheme, fail func(string, ...any)) {
	if !schemeName.MatchString(scheme.Name) {
		fail("the name is not one of a document; allowed: letters, digits, \".\", \"_\" and \"-\"")
	}
	if scheme.Authenticate == nil {
		fail("is made of a nil function")
	}
	switch scheme.Kind {
	case "apikey":
		if !token.MatchString(scheme.Field) || slices.Contains(reservedFields, strings.ToLower(scheme.Field)) {
			fail("the field is %q; allowed: the name of a header field that has no other use, such as \"X-API-Key\"", scheme.Field)
		}
	case "cookie":
		if !token.MatchString(scheme.Field) {
			fail("the cookie is called %q; allowed: letters, digits and some signs (RFC 6265)", scheme.Field)
		}
	case "token":
		if word := strings.ToLower(scheme.Field); !token.MatchString(word) || slices.Contains(otherWords, word) {
			fail("the word is %q; allowed: letters, digits and some signs (RFC 9110), but not Bearer or Basic: use access.Bearer or access.Basic", scheme.Field)
		}
	case "oauth2":
		if scheme.Flows == (access.Flows{}) {
			fail("Flows is empty; set one of its fields at least")
		}
	case "openidconnect":
		if !strings.HasPrefix(scheme.URL, "https://") && !strings.HasPrefix(scheme.URL, "http://") {
			fail("the URL is %q; allowed: an absolute one", scheme.URL)
		}
	}
}

package compiled

import (
	"strings"

	"github.com/trove-api/trove/internal/authz"
)

// ShowsDocs reports whether a caller may read the documentation. Everything that repeats its texts decides by it.
func (a *API) ShowsDocs(c *authz.Caller) bool { return a.DocsRule.Decide(c) != authz.Denied }

// Shows reports whether a caller may see what a path of fields of a resource names, in some record and as far as rules
// decide without one. "owner.salary" needs the field owner, a record that it refers to, and the field salary of that
// record; "owner." needs the first two. Everything that names fields to callers decides by it: messages, links, and
// descriptions of the API.
func (a *API) Shows(c *authz.Caller, r *Resource, path string) bool {
	return a.eachRule(r, path, func(rule *authz.Rule) bool { return rule.Decide(c) != authz.Denied })
}

// Guards reports whether rules may hide from some callers what a path of fields of a resource names.
func (a *API) Guards(r *Resource, path string) bool {
	return !a.eachRule(r, path, func(rule *authz.Rule) bool { return rule == nil })
}

// eachRule reports whether all read rules on a path of fields pass: those of the fields, and of the records behind them.
func (a *API) eachRule(r *Resource, path string, passes func(rule *authz.Rule) bool) bool {
	for {
		name, rest, isLonger := strings.Cut(path, ".")
		if !passes(r.Gate.Rules(name).Read) {
			return false
		}
		f := r.Struct.Field(name)
		if !isLonger || f == nil || f.Reference == nil { // the rest is in the value of the field
			return true
		}
		target := a.ByStruct[f.Reference.Target]
		if target == nil {
			return true
		}
		if !passes(target.Read) {
			return false
		}
		r, path = target, rest
	}
}

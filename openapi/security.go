package openapi

import (
	"reflect"
	"slices"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/naming"
)

// security returns the ways in which an operation can be asked, any of which will do: by nobody,
// where the public may, and with the credentials of each scheme whose principals may. Nil, where
// no scheme is declared, is left to the document, and so to Customize.
func (b *builder) security(op *compiled.Operation) []any {
	switch {
	case len(b.api.Authentication) == 0:
		return nil
	case op.Anonymous:
		return []any{}
	}
	ways, rule := []any{}, op.Access
	if op.Item && !op.Reads && op.Resource.Reads != nil && rule != nil { // what is changed must be seen
		rule = access.All(op.Resource.Reads, rule)
	}
	for i := range op.Parents { // and so must be what it is below
		if seen := op.Parents[i].Resource.ReadRule(); seen != nil && rule != nil {
			rule = access.All(seen, rule)
		}
	}
	if len(scopesFor(rule, nil)) > 0 {
		ways = append(ways, object{})
	}
	for _, scheme := range b.api.Authentication {
		sets := scopesFor(rule, scheme.Principal)
		if !hasScopes(scheme) && len(sets) > 0 {
			sets = []scopes{{}}
		}
		for _, needed := range sets {
			ways = append(ways, object{{scheme.Name, needed}})
		}
	}
	if len(ways) > 0 {
		return ways
	}
	for _, scheme := range b.api.Authentication { // nobody may, where an empty list would say everybody
		ways = append(ways, object{{scheme.Name, scopes{}}})
	}
	return ways
}

// hasScopes reports whether the array of a requirement is one of scopes. That of all other
// schemes is empty, as OpenAPI 3.0 demands and linters do: the description tells of theirs.
func hasScopes(scheme access.Scheme) bool {
	return scheme.Kind == "oauth2" || scheme.Kind == "openidconnect"
}

// securitySchemes are the declared schemes, nil for none.
func (b *builder) securitySchemes() any {
	var schemes object
	for _, scheme := range b.api.Authentication {
		schemes = append(schemes, member{scheme.Name, b.securityScheme(scheme)})
	}
	return unlessEmpty(schemes)
}

func (b *builder) securityScheme(scheme access.Scheme) object {
	described := func(kind, description string, more ...member) object {
		return append(object{{"type", kind}, {"description", description}}, more...)
	}
	key := func(in, name, description string) object {
		return described("apiKey", description, member{"in", in}, member{"name", name})
	}
	switch scheme.Kind {
	case "bearer":
		return described("http", "A token (RFC 6750).", member{"scheme", "bearer"})
	case "basic":
		return described("http", "A name and a password (RFC 7617), in UTF-8.", member{"scheme", "basic"})
	case "token":
		return key("header", "Authorization", "The word "+scheme.Field+", a space and a token.")
	case "cookie":
		return key("cookie", scheme.Field, "A cookie. What would change something is refused to pages of another origin.")
	case "oauth2":
		text := "An access token of OAuth 2 (RFC 6749)."
		if device := scheme.Flows.DeviceAuthorization; device != nil { // OpenAPI 3.1 has no word for it
			text = naming.Sentences(text,
				"Devices without a browser begin at "+device.AuthorizationURL+", and get their token at "+device.TokenURL+" (RFC 8628)")
		}
		return described("oauth2", text, member{"flows", object{
			{"authorizationCode", b.flow(scheme.Flows.AuthorizationCode)},
			{"clientCredentials", b.flow(scheme.Flows.ClientCredentials)},
			{"implicit", b.flow(scheme.Flows.Implicit)},
			{"password", b.flow(scheme.Flows.Password)},
		}})
	case "openidconnect":
		return described("openIdConnect", "A token of OpenID Connect.", member{"openIdConnectUrl", scheme.URL})
	}
	return key("header", scheme.Field, "A key in a header field.")
}

// flow describes a way to a token. Its scopes are complete: what refers to one that is not listed breaks tools.
func (b *builder) flow(flow *access.Flow) object {
	if flow == nil {
		return nil
	}
	scopes := map[string]any{}
	for scope, description := range flow.Scopes {
		scopes[scope] = description
	}
	for _, r := range b.api.Resources {
		for _, op := range r.Operations {
			for _, scope := range scopesIn(op.Access) {
				if _, listed := scopes[scope]; !listed && !op.Hidden {
					scopes[scope] = ""
				}
			}
		}
	}
	return object{{"authorizationUrl", flow.AuthorizationURL}, {"tokenUrl", flow.TokenURL}, {"refreshUrl", flow.RefreshURL}, {"scopes", scopes}}
}

// scopes are a set of scopes, in order.
type scopes = []string

// maxWays is how many sets of scopes the document tells apart.
const maxWays = 16

// scopesFor returns the sets of scopes with each of which a rule may hold for principals of a
// type, nil for nobody: those of which none has all of another. None is a rule that never holds
// for them; one that needs no scope has the empty set.
func scopesFor(rule access.Rule, principal reflect.Type) []scopes {
	if rule == nil {
		return []scopes{{}}
	}
	return waysThrough(rule, principal, false)
}

func waysThrough(rule access.Rule, principal reflect.Type, negated bool) []scopes {
	d := rule.Describe()
	holds := true
	switch d.Kind {
	case "not":
		return waysThrough(d.Parts[0], principal, !negated)
	case "any", "all":
		return waysThroughParts(d, principal, negated)
	case "scope":
		if !negated && principal != nil {
			return []scopes{{d.Scope}}
		}
		holds = negated
	case "public":
		holds = !negated
	case "authenticated":
		holds = (principal != nil) != negated
	case "if", "equal", "filter":
		holds = isAsked(principal, d.Principal) // no opposite holds for those whom it does not ask
	}
	if !holds {
		return nil
	}
	return []scopes{{}}
}

// waysThroughParts joins the ways through one part where one will do, and combines them where all must hold.
func waysThroughParts(d access.Description, principal reflect.Type, negated bool) []scopes {
	if (d.Kind == "any") != negated {
		var ways []scopes
		for _, part := range d.Parts {
			ways = append(ways, waysThrough(part, principal, negated)...)
		}
		return least(ways)
	}
	ways := []scopes{{}}
	for _, part := range d.Parts {
		var combined []scopes
		for _, next := range waysThrough(part, principal, negated) {
			for _, way := range ways {
				joined := append(append(scopes{}, way...), next...) // never nil, which would be null
				slices.Sort(joined)
				combined = append(combined, slices.Compact(joined))
			}
		}
		ways = least(combined)
	}
	return ways
}

// least leaves out the sets that have all of another one. Of more than can be told, it leaves what they have in common.
func least(ways []scopes) []scopes {
	var kept []scopes
	for i, way := range ways {
		needless := slices.ContainsFunc(ways[:i], func(other scopes) bool { return containsAll(way, other) }) ||
			slices.ContainsFunc(ways[i+1:], func(other scopes) bool { return len(way) > len(other) && containsAll(way, other) })
		if !needless {
			kept = append(kept, way)
		}
	}
	if len(kept) <= maxWays {
		return kept
	}
	common := slices.Clone(kept[0])
	for _, way := range kept[1:] {
		common = slices.DeleteFunc(common, func(scope string) bool { return !slices.Contains(way, scope) })
	}
	return []scopes{common}
}

func containsAll(way, other scopes) bool {
	return !slices.ContainsFunc(other, func(scope string) bool { return !slices.Contains(way, scope) })
}

// isAsked reports whether a rule for principals of one type may ask those of a scheme.
func isAsked(given, asked reflect.Type) bool {
	switch {
	case given == nil:
		return false
	case given == asked:
		return true
	case asked.Kind() == reflect.Interface:
		return given.Implements(asked)
	}
	return given.Kind() == reflect.Interface && asked.Implements(given)
}

// scopesIn lists the scopes that stand in a rule.
func scopesIn(rule access.Rule) scopes {
	if rule == nil {
		return nil
	}
	d := rule.Describe()
	if d.Kind == "scope" {
		return scopes{d.Scope}
	}
	var found scopes
	for _, part := range d.Parts {
		found = append(found, scopesIn(part)...)
	}
	return found
}

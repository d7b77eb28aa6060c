package openapi

import (
	"net/http"
	"reflect"
	"slices"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/internal/compiled"
)

// security returns the alternative security requirements of an operation: none if anonymous callers have access, and one
// for each scheme whose principals have access. It is nil if no scheme is declared, so that Customize can set one for the
// document.
func (b *builder) security(op *compiled.Operation) []any {
	switch {
	case len(b.api.Authentication) == 0:
		return nil
	case op.Anonymous:
		return []any{}
	}
	ways, rule := []any{}, op.Access
	if op.Item && !op.Reads && op.Resource.Reads != nil && rule != nil { // callers must see the record that they change
		rule = access.All(op.Resource.Reads, rule)
	}
	for i := range op.Parents { // and its parents
		if seen := op.Parents[i].Resource.ReadRule(); seen != nil && rule != nil {
			rule = access.All(seen, rule)
		}
	}
	if len(waysThrough(rule, nil, false)) > 0 {
		ways = append(ways, object{})
	}
	for _, scheme := range b.api.Authentication {
		sets := waysThrough(rule, scheme.Principal, false)
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
	for _, scheme := range b.api.Authentication { // no caller has access; an empty list would mean everyone
		ways = append(ways, object{{scheme.Name, scopes{}}})
	}
	return ways
}

// hasScopes reports whether requirements of a scheme list scopes. For other schemes OpenAPI 3.0 and linters require an
// empty list; the description names their scopes.
func hasScopes(scheme access.Scheme) bool {
	return scheme.Kind == "oauth2" || scheme.Kind == "openidconnect"
}

// securitySchemes returns the declared schemes, nil for none.
func (b *builder) securitySchemes() any {
	var schemes object
	for _, scheme := range b.api.Authentication {
		schemes = append(schemes, member{scheme.Name, b.securityScheme(scheme)})
	}
	slices.SortFunc(schemes, byName)
	return unlessEmpty(schemes)
}

func (b *builder) securityScheme(scheme access.Scheme) object {
	described := func(kind, description string, more ...member) object {
		return append(object{{"type", kind}, {"description", description}}, more...)
	}
	key := func(in, name, description string) object {
		return object{{"name", name}, {"in", in}, {"type", "apiKey"}, {"description", description}}
	}
	switch scheme.Kind {
	case "bearer":
		return described("http", b.withIssuer("Bearer token. Enter it without the word `Bearer`."), member{"scheme", "bearer"})
	case "basic":
		return described("http", "User name and password.", member{"scheme", "basic"})
	case "token":
		return key("header", "Authorization", b.withIssuer("Enter `"+scheme.Field+"`, a space and the token."))
	case "cookie":
		text := "Session cookie `" + scheme.Field + "`. Changes requested from other origins are rejected."
		if signIn, _ := b.api.SignIn(); signIn != nil && !signIn.Hidden {
			text += " Sign in with " + signIn.Method + " " + signIn.Path() + ", which sets the cookie."
		}
		return key("cookie", scheme.Field, text)
	case "oauth2":
		text := "OAuth 2.0 access token."
		if device := scheme.Flows.DeviceAuthorization; device != nil { // OpenAPI 3.1 cannot describe this flow
			text += " Devices without a browser start at " + device.AuthorizationURL + " and get the token at " + device.TokenURL + " (RFC 8628)."
		}
		return described("oauth2", text, member{"flows", object{
			{"authorizationCode", b.flow(scheme.Flows.AuthorizationCode)},
			{"clientCredentials", b.flow(scheme.Flows.ClientCredentials)},
			{"implicit", b.flow(scheme.Flows.Implicit)},
			{"password", b.flow(scheme.Flows.Password)},
		}})
	case "openidconnect":
		return described("openIdConnect", "OpenID Connect token.", member{"openIdConnectUrl", scheme.URL})
	}
	return key("header", scheme.Field, "API key, in the header field `"+scheme.Field+"`.")
}

// tokenNames are the names of fields with a token in responses.
var tokenNames = []string{"token", "accessToken", "access_token"}

// withIssuer adds the operation that returns tokens to the description of a scheme, if there is one.
func (b *builder) withIssuer(text string) string {
	for _, r := range b.api.Resources {
		for _, op := range r.Operations {
			if op.Hidden || op.Method != http.MethodPost || op.Out == nil || op.Out.View == nil {
				continue
			}
			for i := range op.Out.View.Fields {
				if f := &op.Out.View.Fields[i]; f.Readable && slices.Contains(tokenNames, f.Field.Name) {
					return text + " Get a token with " + op.Method + " " + op.Path() + "."
				}
			}
		}
	}
	return text
}

// flow describes an OAuth flow. It lists all scopes, because references to missing ones break tools.
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
			for _, scope := range compiled.ScopesIn(op.Access) {
				if _, listed := scopes[scope]; !listed && !op.Hidden {
					scopes[scope] = ""
				}
			}
		}
	}
	return object{{"authorizationUrl", flow.AuthorizationURL}, {"refreshUrl", flow.RefreshURL}, {"scopes", scopes}, {"tokenUrl", flow.TokenURL}}
}

// scopes are a sorted set of scopes.
type scopes = []string

// maxWays is the maximum number of alternative sets of scopes in the document.
const maxWays = 16

// waysThrough returns the minimal sets of scopes with which a rule can hold, or its opposite, for principals of a type, nil
// for anonymous callers. It returns nil for a rule that never holds for them, and an empty set for one that requires no
// scope.
func waysThrough(rule access.Rule, principal reflect.Type, negated bool) []scopes {
	if rule == nil {
		return []scopes{{}}
	}
	d := rule.Describe()
	holds := true
	switch d.Kind {
	case "not":
		return waysThrough(d.Parts[0], principal, !negated)
	case "any", "all":
		return waysThroughParts(d, principal, negated)
	case "through", "related":
		if !negated {
			return waysThrough(d.Parts[0], principal, false)
		}
		holds = asks(d.Parts[0], principal) // another record may fulfill the rule or not
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
		holds = accepts(principal, d.Principal) // neither the rule nor its opposite holds for other types
	}
	if !holds {
		return nil
	}
	return []scopes{{}}
}

// asks reports whether all parts of a rule that depend on the principal accept principals of a type.
func asks(rule access.Rule, principal reflect.Type) bool {
	d := rule.Describe()
	return (d.Principal == nil || accepts(principal, d.Principal)) &&
		!slices.ContainsFunc(d.Parts, func(part access.Rule) bool { return !asks(part, principal) })
}

// waysThroughParts joins the sets of all parts if one must hold, and combines them if all must hold.
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
				joined := append(append(scopes{}, way...), next...) // not nil, which would be null
				slices.Sort(joined)
				combined = append(combined, slices.Compact(joined))
			}
		}
		ways = least(combined)
	}
	return ways
}

// least removes the sets that contain another one. If too many are left, it returns what they have in common.
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

// accepts reports whether a rule for principals of one type can apply to those of a scheme.
func accepts(given, wanted reflect.Type) bool {
	switch {
	case given == nil:
		return false
	case given == wanted:
		return true
	case wanted.Kind() == reflect.Interface:
		return given.Implements(wanted)
	}
	return given.Kind() == reflect.Interface && wanted.Implements(given)
}

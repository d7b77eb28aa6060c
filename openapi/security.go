package openapi

import (
	"maps"
	"net/http"
	"slices"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/naming"
	"github.com/trove-api/trove/internal/problem"
	"github.com/trove-api/trove/internal/schema"
)

// security returns the ways in which an operation can be asked, any of which will do: by nobody,
// where the public may, and with the credentials of each scheme whose principals may. Nil, where
// no scheme is declared, is left to the document, and so to Customize.
func (b *builder) security(op *compiled.Operation) *openapi3.SecurityRequirements {
	switch {
	case len(b.api.Authentication) == 0:
		return nil
	case op.Anonymous:
		return openapi3.NewSecurityRequirements()
	}
	ways, rule := openapi3.NewSecurityRequirements(), op.Access
	if op.Item && !op.Reads && op.Resource.Reads != nil && rule != nil { // what is changed must be seen
		rule = access.All(op.Resource.Reads, rule)
	}
	for i := range op.Parents { // and so must be what it is below
		if seen := op.Parents[i].Resource.SeenBy(); seen != nil && rule != nil {
			rule = access.All(seen, rule)
		}
	}
	if len(scopesFor(rule, nil)) > 0 {
		ways.With(openapi3.NewSecurityRequirement())
	}
	for _, scheme := range b.api.Authentication {
		sets := scopesFor(rule, scheme.Principal)
		if !hasScopes(scheme) && len(sets) > 0 {
			sets = []scopes{{}}
		}
		for _, needed := range sets {
			ways.With(openapi3.SecurityRequirement{scheme.Name: needed})
		}
	}
	if len(*ways) > 0 {
		return ways
	}
	for _, scheme := range b.api.Authentication { // nobody may, where an empty list would say everybody
		ways.With(openapi3.SecurityRequirement{scheme.Name: {}})
	}
	return ways
}

// hasScopes reports whether the array of a requirement is one of scopes. That of all other
// schemes is empty, as OpenAPI 3.0 demands and linters do: the description tells of theirs.
func hasScopes(scheme access.Scheme) bool {
	return scheme.Kind == "oauth2" || scheme.Kind == "openidconnect"
}

// securitySchemes are the declared schemes, nil for none.
func (b *builder) securitySchemes() openapi3.SecuritySchemes {
	if len(b.api.Authentication) == 0 {
		return nil
	}
	schemes := openapi3.SecuritySchemes{}
	for _, scheme := range b.api.Authentication {
		schemes[scheme.Name] = &openapi3.SecuritySchemeRef{Value: b.securityScheme(scheme)}
	}
	return schemes
}

func (b *builder) securityScheme(scheme access.Scheme) *openapi3.SecurityScheme {
	described := openapi3.NewSecurityScheme()
	switch scheme.Kind {
	case "bearer":
		return described.WithType("http").WithScheme("bearer").WithDescription("A token (RFC 6750).")
	case "basic":
		return described.WithType("http").WithScheme("basic").WithDescription("A name and a password (RFC 7617), in UTF-8.")
	case "token":
		return described.WithType("apiKey").WithIn(openapi3.ParameterInHeader).WithName("Authorization").
			WithDescription("The word " + scheme.Field + ", a space and a token.")
	case "cookie":
		return described.WithType("apiKey").WithIn(openapi3.ParameterInCookie).WithName(scheme.Field).
			WithDescription("A cookie. What would change something is refused to pages of another origin.")
	case "oauth2":
		described.Type, described.Description = "oauth2", "An access token of OAuth 2 (RFC 6749)."
		b.flows(described, scheme.Flows)
		return described
	case "openidconnect":
		described.Type, described.OpenIdConnectUrl, described.Description = "openIdConnect", scheme.URL, "A token of OpenID Connect."
		return described
	}
	return described.WithType("apiKey").WithIn(openapi3.ParameterInHeader).WithName(scheme.Field).WithDescription("A key in a header field.")
}

// flows adds the ways to a token. OpenAPI 3.1 has no word for that of devices.
func (b *builder) flows(described *openapi3.SecurityScheme, flows access.Flows) {
	described.Flows = &openapi3.OAuthFlows{
		AuthorizationCode: b.flow(flows.AuthorizationCode),
		ClientCredentials: b.flow(flows.ClientCredentials),
		Implicit:          b.flow(flows.Implicit),
		Password:          b.flow(flows.Password),
	}
	if device := flows.DeviceAuthorization; device != nil {
		described.Description = naming.Sentences(described.Description,
			"Devices without a browser begin at "+device.AuthorizationURL+", and get their token at "+device.TokenURL+" (RFC 8628)")
	}
}

// flow describes a way to a token. Its scopes are complete: what refers to one that is not
// listed breaks tools.
func (b *builder) flow(flow *access.Flow) *openapi3.OAuthFlow {
	if flow == nil {
		return nil
	}
	described := &openapi3.OAuthFlow{
		AuthorizationURL: flow.AuthorizationURL, TokenURL: flow.TokenURL, RefreshURL: flow.RefreshURL, Scopes: map[string]string{},
	}
	maps.Copy(described.Scopes, flow.Scopes)
	for _, r := range b.api.Resources {
		for _, op := range r.Operations {
			for _, scope := range scopesIn(op.Access) {
				if _, listed := described.Scopes[scope]; !listed && !op.Hidden {
					described.Scopes[scope] = ""
				}
			}
		}
	}
	return described
}

// authenticate is the field of the ways to sign in.
const authenticate = "WWW-Authenticate"

func unauthorized(b *builder) *openapi3.Response {
	response := b.problem(http.StatusUnauthorized, "The request does not say who makes it, or with credentials that are not good.",
		"Say who you are.")
	challenge := b.header("How to say who asks: a challenge for each way there is (RFC 9110, section 11.6.1). "+
		"Of credentials that are not good the one of a token says `invalid_token` (RFC 6750).", challengeOf(b.api.Authentication), "")
	challenge.Value.Required = true
	response.Headers = openapi3.Headers{authenticate: challenge}
	return response
}

// challengeOf returns an example of a challenge.
func challengeOf(schemes []access.Scheme) string {
	if len(schemes) == 0 {
		return ""
	}
	switch realm := ` realm="` + schemes[0].Name + `"`; schemes[0].Kind {
	case "basic":
		return "Basic" + realm + `, charset="UTF-8"`
	case "apikey":
		return "ApiKey" + realm
	case "token":
		return schemes[0].Field + realm
	case "cookie":
		return "Cookie" + realm
	default:
		return "Bearer" + realm
	}
}

// forbidden is a problem with a member more, where a member of the body may not be set.
func forbidden(b *builder) *openapi3.Response {
	response := b.problem(http.StatusForbidden,
		"Whoever asks may not do this, or not with these values: `field` names a member that they may not set.",
		"You may not set name.", problem.Member{Name: "field", Value: "name"})
	response.Content[problem.MediaType].Schema = b.schemaRef(b.fixed("ForbiddenProblem", forbiddenSchema))
	i := slices.IndexFunc(b.api.Authentication, func(s access.Scheme) bool { return s.Kind == "bearer" || hasScopes(s) })
	if i >= 0 {
		response.Headers = openapi3.Headers{authenticate: b.header(
			"Where a scope is missing: `insufficient_scope`, and the scope that would do (RFC 6750, section 3.1).",
			challengeOf(b.api.Authentication[i:])+`, error="insufficient_scope", scope="write"`, "")}
	}
	return response
}

func forbiddenSchema() *schema.Schema {
	field := part{"field", stringSchema("The member that may not be set."), false}
	return complete(objectSchema("The problem of what whoever asks may not do."), append(problemParts(), field))
}

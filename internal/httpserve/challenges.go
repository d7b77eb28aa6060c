package httpserve

import (
	"errors"
	"net/http"
	"strings"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/internal/execute"
	"github.com/trove-api/trove/internal/problem"
)

// authenticate is the field of the ways to sign in (RFC 9110, section 11.6.1).
const authenticate = "WWW-Authenticate"

// refuseCredentials refuses a request whose credentials are not good: 401, or 400 where there are
// too many to tell which count.
// To choose one of two credentials would let whoever adds a field to a request decide who it is
// from.
func (x *exchange) refuseCredentials(scheme *access.Scheme, err error) error {
	if errors.Is(err, errTwice) {
		refusal := problem.New(http.StatusBadRequest, "The request has credentials more than once.")
		if isToken(scheme) {
			refusal.Header = []string{authenticate, challenge(scheme, `error="invalid_request"`)}
		}
		return refusal
	}
	return x.unauthorized("The credentials are not good.", scheme)
}

// unauthorized refuses a request that may do better with credentials, or with other ones: those
// of the scheme were bad, nil where there were none.
// Every scheme is offered, since a client cannot know which ones there are. An error code stands
// beside those of tokens alone: no other scheme has such codes (RFC 6750, section 3.1).
func (x *exchange) unauthorized(detail string, bad *access.Scheme) *problem.Problem {
	refusal := problem.New(http.StatusUnauthorized, detail)
	refusal.Header = x.challenges(bad)
	return refusal
}

// challenges returns the fields that say how to sign in: one for each scheme.
func (x *exchange) challenges(bad *access.Scheme) (header []string) {
	for i := range x.op.API.Authentication {
		scheme := &x.op.API.Authentication[i]
		var parameters []string
		if bad != nil && isToken(scheme) && isToken(bad) {
			parameters = []string{`error="invalid_token"`}
		}
		header = append(header, authenticate, challenge(scheme, parameters...))
	}
	return header
}

// challenge says how a scheme is used. Names of schemes need no quoting.
// The charset tells browsers to send names beyond ASCII as UTF-8 (RFC 7617, section 2.1). Keys and
// cookies have no scheme in the registry; the words here only tell people what is wanted.
func challenge(scheme *access.Scheme, parameters ...string) string {
	word := "Bearer"
	switch scheme.Kind {
	case "basic":
		return `Basic realm="` + scheme.Name + `", charset="UTF-8"`
	case "apikey":
		word = "ApiKey"
	case "cookie":
		word = "Cookie"
	case "token":
		word = scheme.Field
	}
	return strings.Join(append([]string{word + ` realm="` + scheme.Name + `"`}, parameters...), ", ")
}

// problemOfRefusal makes the problem of a call that a rule of access does not let pass: 401 for
// nobody who could be somebody that passes, else 403.
// 401 for whoever has signed in would have browsers ask for a password that cannot help.
func (x *exchange) problemOfRefusal(refused *execute.ForbiddenError) *problem.Problem {
	if refused.SignIn && len(x.op.API.Authentication) > 0 {
		return x.unauthorized("Say who you are.", nil)
	}
	refusal := problem.New(http.StatusForbidden, refused.Error())
	if field := refused.Field(); field != "" {
		refusal.Members = []problem.Member{{Name: "field", Value: field}}
	}
	if refused.Scopes == nil {
		return refusal
	}
	for i := range x.op.API.Authentication {
		if scheme := &x.op.API.Authentication[i]; isToken(scheme) {
			refusal.Header = append(refusal.Header, authenticate,
				challenge(scheme, `error="insufficient_scope"`, `scope="`+strings.Join(refused.Scopes, " ")+`"`))
		}
	}
	return refusal
}

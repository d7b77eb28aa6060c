package httpserve

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/internal/problem"
)

// readCredentials finds out who makes the request, by the first scheme whose credentials it
// has. Bad ones are refused whatever the operation is.
// Without any the request goes on as nobody's: whether that is enough, rules say.
func readCredentials(ctx context.Context, x *exchange) error {
	if x.op.Anonymous {
		return x.guardAnonymous()
	}
	for i := range x.op.API.Authentication {
		scheme := &x.op.API.Authentication[i]
		given, found, err := credentialsOf(scheme, x.r)
		switch {
		case err != nil:
			return x.refuseCredentials(scheme, err)
		case !found && isLastOfField(x.op.API.Authentication, i) && hasField(scheme, x.r):
			return x.refuseCredentials(scheme, errMalformed)
		case found:
			return x.authenticate(ctx, i, given)
		}
	}
	return nil
}

// guardAnonymous refuses what pages of another origin ask of an operation that may set a cookie which
// signs their visitor in, as somebody else, or out.
func (x *exchange) guardAnonymous() error {
	isCookie := func(s access.Scheme) bool { return s.Kind == "cookie" }
	if slices.ContainsFunc(x.op.API.Authentication, isCookie) && crossOrigin.Check(x.r) != nil {
		return errCrossOrigin
	}
	return nil
}

// authenticate asks the scheme's function who the credentials are of. Where several schemes take
// tokens, each is asked until one knows it.
// A cookie is sent by the browser and not by the page, so that a request from another origin is
// refused before anybody is asked who it is from.
func (x *exchange) authenticate(ctx context.Context, i int, given credentials) error {
	schemes := x.op.API.Authentication
	scheme := &schemes[i]
	if scheme.Kind == "cookie" && crossOrigin.Check(x.r) != nil {
		return errCrossOrigin
	}
	x.secret = given.secret
	principal, scopes, err := scheme.Authenticate(ctx, given.user, given.secret)
	switch {
	case errors.Is(err, access.ErrCredentials):
		for j := i + 1; j < len(schemes); j++ {
			if isToken(scheme) && isToken(&schemes[j]) {
				return x.authenticate(ctx, j, given)
			}
		}
		return x.refuseCredentials(scheme, errUnknown)
	case err != nil:
		return &unverifiedError{scheme.Name, err}
	case isNothing(principal):
		return fmt.Errorf("the function of the scheme %q returned neither a principal nor an error", scheme.Name)
	}
	x.call.Principal, x.call.Scopes = principal, scopes
	return nil
}

// isNothing reports whether a principal is nil, or a nil pointer.
func isNothing(principal any) bool {
	v := reflect.ValueOf(principal)
	return !v.IsValid() || v.Kind() == reflect.Pointer && v.IsNil()
}

// unverifiedError is of credentials of which nobody can say for now whether they are good.
type unverifiedError struct {
	scheme string
	err    error
}

func (e *unverifiedError) Error() string { return "scheme " + e.scheme + ": " + e.err.Error() }
func (e *unverifiedError) Unwrap() error { return e.err }

// What credentials are refused for. None of them tells more than that.
var (
	errMalformed = errors.New("the credentials are malformed")
	errUnknown   = errors.New("the credentials are not good")
	errTwice     = errors.New("the request has credentials twice")
)

// crossOrigin refuses what pages of another origin make a browser send with its cookies.
var crossOrigin http.CrossOriginProtection //nolint:gochecknoglobals // nothing changes it

var errCrossOrigin = problem.New(http.StatusForbidden, "The request comes from a page of another origin.")

// isToken reports whether a scheme takes what stands behind "Bearer": three kinds of schemes differ
// in how a client gets its token, not in how it sends one.
func isToken(scheme *access.Scheme) bool {
	return scheme.Kind == "bearer" || scheme.Kind == "oauth2" || scheme.Kind == "openidconnect"
}

const authorization = "Authorization"

// hasField reports whether a request has an Authorization that is for schemes like this one.
func hasField(scheme *access.Scheme, r *http.Request) bool {
	return readsAuthorization(scheme) && r.Header[authorization] != nil
}

// readsAuthorization reports whether a scheme reads the field Authorization.
func readsAuthorization(scheme *access.Scheme) bool {
	return scheme.Kind == "basic" || scheme.Kind == "token" || isToken(scheme)
}

// isLastOfField reports whether no later scheme reads Authorization.
// Only the last one may complain that a field has nothing for it: it may be for one of the others.
func isLastOfField(schemes []access.Scheme, i int) bool {
	for j := i + 1; j < len(schemes); j++ {
		if readsAuthorization(&schemes[j]) {
			return false
		}
	}
	return true
}

// credentials are what a request says of who makes it.
type credentials struct{ user, secret string }

// credentialsOf returns the credentials of a scheme that a request has, and whether it has some.
func credentialsOf(scheme *access.Scheme, r *http.Request) (given credentials, found bool, err error) {
	switch scheme.Kind {
	case "apikey":
		values := r.Header.Values(scheme.Field)
		given.secret, err = only(values)
		return given, values != nil, err
	case "cookie":
		var values []string
		for _, cookie := range r.CookiesNamed(scheme.Field) {
			values = append(values, cookie.Value)
		}
		given.secret, err = only(values)
		return given, values != nil, err
	}
	lines := r.Header[authorization]
	switch len(lines) {
	case 0:
		return given, false, nil
	case 1:
	default:
		return given, false, errTwice
	}
	word, rest, _ := strings.Cut(lines[0], " ")
	switch {
	case isToken(scheme) && strings.EqualFold(word, "bearer"):
		if len(rest) > maxSecret || !isToken68(rest) {
			return given, true, errMalformed
		}
		return credentials{secret: rest}, true, nil
	case scheme.Kind == "token" && strings.EqualFold(word, scheme.Field):
		given.secret, err = only([]string{rest})
		return given, true, err
	case scheme.Kind == "basic" && strings.EqualFold(word, "basic"):
		given, err = nameAndPassword(rest)
		return given, true, err
	}
	return given, false, nil
}

// maxSecret is how many bytes credentials may have: many times what tokens have that say all
// of their owner.
const maxSecret = 32 << 10

// only returns the only value of a field, which is visible text.
func only(values []string) (string, error) {
	switch {
	case len(values) == 0:
		return "", nil
	case len(values) > 1:
		return "", errTwice
	case values[0] == "", len(values[0]) > maxSecret, strings.ContainsFunc(values[0], func(r rune) bool { return r < ' ' || r > '~' }):
		return "", errMalformed
	}
	return values[0], nil
}

// isToken68 reports whether a text has the form of a token (RFC 6750, section 2.1).
func isToken68(text string) bool {
	body := strings.TrimRight(text, "=")
	for i := range len(body) {
		c := body[i]
		if (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && strings.IndexByte("-._~+/", c) < 0 {
			return false
		}
	}
	return body != ""
}

// nameAndPassword reads credentials of Basic (RFC 7617, section 2).
// The name ends at the first colon, as it cannot have one; the password may.
func nameAndPassword(encoded string) (credentials, error) {
	if len(encoded) > maxSecret {
		return credentials{}, errMalformed
	}
	decoded, err := base64.StdEncoding.Strict().DecodeString(encoded)
	text := string(decoded)
	user, password, ok := strings.Cut(text, ":")
	isControl := func(r rune) bool { return r < ' ' || r == 0x7f }
	if err != nil || !ok || !utf8.ValidString(text) || strings.ContainsFunc(text, isControl) {
		return credentials{}, errMalformed
	}
	return credentials{user, password}, nil
}

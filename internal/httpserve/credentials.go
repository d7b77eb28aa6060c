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
	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/execute"
	"github.com/trove-api/trove/internal/problem"
)

// Header fields of credentials, and of the ways to send them (RFC 9110, section 11.6).
const (
	authorization = "Authorization"
	authenticate  = "WWW-Authenticate"
)

// scheme is a scheme of the API with what reads its credentials.
type scheme struct {
	*access.Scheme

	read    func(s *scheme, r *http.Request) (given credentials, found bool, err error)
	parse   func(text string) (credentials, error) // of Authorization, what follows the word
	word    string                                 // of Authorization
	realm   string                                 // how the scheme challenges clients
	isToken bool                                   // the word is Bearer: kinds of schemes that differ in how clients get their token
	isLast  bool                                   // no later scheme reads Authorization
}

// credentials are what a request says of its caller.
type credentials struct{ user, secret string }

// schemesOf returns the schemes of an API in the order in which they are tried.
func schemesOf(api *compiled.API) []scheme {
	list := make([]scheme, len(api.Authentication))
	last := true
	for i := len(list) - 1; i >= 0; i-- {
		s := &list[i]
		*s = scheme{Scheme: &api.Authentication[i], read: (*scheme).readAuthorization, parse: only, isLast: last}
		// The registry has no names for keys and cookies, so their words are only for people. The charset has browsers send
		// names beyond ASCII as UTF-8 (RFC 7617, section 2.1).
		more := ""
		switch s.Kind {
		case "apikey":
			s.read, s.word = (*scheme).readField, "ApiKey"
		case "cookie":
			s.read, s.word = (*scheme).readCookie, "Cookie"
		case "basic":
			s.parse, s.word, more = nameAndPassword, "Basic", `, charset="UTF-8"`
		case "token":
			s.word = s.Field
		default: // bearer, oauth2, openidconnect
			s.parse, s.word, s.isToken = token68, "Bearer", true
		}
		s.realm = s.word + ` realm="` + s.Name + `"` + more
		last = last && (s.Kind == "apikey" || s.Kind == "cookie")
	}
	return list
}

// readCredentials finds out who calls, by the first scheme whose credentials the request has. Bad ones are an error
// whatever the operation is; without any the caller is anonymous, and rules say whether that is enough.
func readCredentials(ctx context.Context, x *exchange) error {
	for i := range x.schemes {
		given, found, err := x.schemes[i].read(&x.schemes[i], x.r)
		switch {
		case err != nil:
			return x.refuseCredentials(&x.schemes[i], err)
		case found:
			return x.authenticate(ctx, i, given)
		}
	}
	return nil
}

// checkOrigin rejects what pages of another origin request from an operation that ignores credentials: it may set a cookie
// which signs their visitor in as another caller, or out.
func checkOrigin(_ context.Context, x *exchange) error {
	isCookie := func(s scheme) bool { return s.Kind == "cookie" }
	if slices.ContainsFunc(x.schemes, isCookie) && crossOrigin.Check(x.r) != nil {
		return errCrossOrigin
	}
	return nil
}

// authenticate asks the scheme's function whose the credentials are. If several schemes take tokens, each is asked until
// one knows it. A cookie is sent by the browser and not by the page, so a request from another origin is rejected first.
func (x *exchange) authenticate(ctx context.Context, i int, given credentials) error {
	s := &x.schemes[i]
	if s.Kind == "cookie" && crossOrigin.Check(x.r) != nil {
		return errCrossOrigin
	}
	x.secret = given.secret
	principal, scopes, err := s.Authenticate(ctx, given.user, given.secret)
	switch {
	case errors.Is(err, access.ErrCredentials):
		for j := i + 1; j < len(x.schemes); j++ {
			if s.isToken && x.schemes[j].isToken {
				return x.authenticate(ctx, j, given)
			}
		}
		return x.refuseCredentials(s, errUnknown)
	case err != nil:
		return &unverifiedError{s.Name, err}
	case isNothing(principal):
		return fmt.Errorf("the function of the scheme %q returned neither a principal nor an error", s.Name)
	}
	x.call.Principal, x.call.Scopes = principal, scopes
	return nil
}

// isNothing reports whether a principal is nil, or a nil pointer.
func isNothing(principal any) bool {
	v := reflect.ValueOf(principal)
	return !v.IsValid() || v.Kind() == reflect.Pointer && v.IsNil()
}

// unverifiedError is the error of credentials that cannot be checked for now.
type unverifiedError struct {
	scheme string
	err    error
}

func (e *unverifiedError) Error() string { return "scheme " + e.scheme + ": " + e.err.Error() }
func (e *unverifiedError) Unwrap() error { return e.err }

// Why credentials are rejected. No response says more than that.
var (
	errMalformed = errors.New("the credentials are malformed")
	errUnknown   = errors.New("the credentials are not good")
	errTwice     = errors.New("the request has credentials twice")
)

// crossOrigin rejects what pages of another origin make a browser send with its cookies.
var crossOrigin http.CrossOriginProtection //nolint:gochecknoglobals // nothing changes it

var errCrossOrigin = problem.New(http.StatusForbidden, "The request comes from a page of another origin.")

// readField reads the header field of an API key.
func (s *scheme) readField(r *http.Request) (given credentials, found bool, err error) {
	return onlyOf(r.Header.Values(s.Field))
}

// readCookie reads the cookie of a session.
func (s *scheme) readCookie(r *http.Request) (given credentials, found bool, err error) {
	var values []string
	for _, cookie := range r.CookiesNamed(s.Field) {
		values = append(values, cookie.Value)
	}
	return onlyOf(values)
}

// readAuthorization reads the field Authorization. Only the last scheme that reads it may complain that it has nothing for
// the scheme, because it may be for one of the others.
func (s *scheme) readAuthorization(r *http.Request) (given credentials, found bool, err error) {
	lines := r.Header[authorization]
	switch {
	case lines == nil:
		return given, false, nil
	case len(lines) > 1:
		return given, false, errTwice
	}
	word, rest, _ := strings.Cut(strings.Join(lines, ""), " ")
	if !strings.EqualFold(word, s.word) {
		if s.isLast {
			err = errMalformed
		}
		return given, false, err
	}
	given, err = s.parse(rest)
	return given, true, err
}

// maxSecret is how many bytes credentials may have: many times what tokens have that say all of their owner.
const maxSecret = 32 << 10

// onlyOf returns the credentials that are the only value of a field.
func onlyOf(values []string) (given credentials, found bool, err error) {
	switch len(values) {
	case 0:
		return given, false, nil
	case 1:
		given, err = only(values[0])
		return given, true, err
	}
	return given, true, errTwice
}

// only returns credentials that are one visible text.
func only(text string) (credentials, error) {
	if text == "" || len(text) > maxSecret || strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r > '~' }) {
		return credentials{}, errMalformed
	}
	return credentials{secret: text}, nil
}

// token68 reads a token (RFC 6750, section 2.1).
func token68(text string) (credentials, error) {
	body := strings.TrimRight(text, "=")
	if body == "" || len(text) > maxSecret {
		return credentials{}, errMalformed
	}
	for i := range len(body) {
		c := body[i]
		if (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && strings.IndexByte("-._~+/", c) < 0 {
			return credentials{}, errMalformed
		}
	}
	return credentials{secret: text}, nil
}

// nameAndPassword reads credentials of Basic (RFC 7617, section 2). The name ends at the first colon, because it cannot have
// one; the password may.
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

// refuseCredentials returns the error of bad credentials: 401, or 400 if there are several, because choosing one of them
// would let any proxy that adds a field decide who calls.
func (x *exchange) refuseCredentials(s *scheme, err error) error {
	if errors.Is(err, errTwice) {
		refusal := problem.New(http.StatusBadRequest, "The request has credentials more than once.")
		if s.isToken {
			refusal.Header = []string{authenticate, s.realm + `, error="invalid_request"`}
		}
		return refusal
	}
	return x.unauthorized("The credentials are not good.", s)
}

// unauthorized returns the error of a request that may do better with credentials, or with other ones: those of the scheme
// were bad, nil if there were none.
func (x *exchange) unauthorized(detail string, bad *scheme) *problem.Problem {
	refusal := problem.New(http.StatusUnauthorized, detail)
	refusal.Header = x.challenges(bad)
	return refusal
}

// challenges returns the fields that say how to sign in, one for each scheme, because a client cannot know which ones there
// are. Only those of tokens have an error code (RFC 6750, section 3.1).
func (x *exchange) challenges(bad *scheme) (header []string) {
	for i := range x.schemes {
		challenge := x.schemes[i].realm
		if bad != nil && x.schemes[i].isToken && bad.isToken {
			challenge += `, error="invalid_token"`
		}
		header = append(header, authenticate, challenge)
	}
	return header
}

// problemOfForbidden makes the problem of a call that a rule does not allow: 401 if signing in could help, else 403, because
// a 401 has browsers ask for a password.
func (x *exchange) problemOfForbidden(refused *execute.ForbiddenError) *problem.Problem {
	if refused.SignIn && len(x.schemes) > 0 {
		return x.unauthorized("Say who you are.", nil)
	}
	refusal := problem.New(http.StatusForbidden, refused.Error())
	if field := refused.Field(); field != "" {
		refusal.Members = []problem.Member{{Name: "field", Value: field}}
	}
	if refused.Scopes == nil {
		return refusal
	}
	for i := range x.schemes {
		if x.schemes[i].isToken {
			refusal.Header = append(refusal.Header, authenticate,
				x.schemes[i].realm+`, error="insufficient_scope", scope="`+strings.Join(refused.Scopes, " ")+`"`)
		}
	}
	return refusal
}

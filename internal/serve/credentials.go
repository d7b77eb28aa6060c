package serve

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/httpfield"
	"github.com/trove-api/trove/internal/problem"
	"github.com/trove-api/trove/operation"
)

// Header fields of credentials and of challenges (RFC 9110, section 11.6).
const (
	authorization = "Authorization"
	authenticate  = "WWW-Authenticate"
)

// scheme is a scheme of the API with the functions that read its credentials.
type scheme struct {
	*access.Scheme

	read    func(s *scheme, r *http.Request) (given credentials, found bool, err error)
	parse   func(text string) (credentials, error) // reads what follows the word in Authorization
	word    string                                 // the first word of Authorization, and of the challenge
	realm   string                                 // the challenge
	isToken bool                                   // the word is Bearer; such schemes differ only in how clients get their token
	isLast  bool                                   // no later scheme reads Authorization

	isDiscoverable bool // clients can get a token by themselves
}

// credentials are those of a request. Schemes without a user name have only a secret.
type credentials struct{ user, secret string }

// schemesOf returns the schemes of an API in the order in which they are tried.
func schemesOf(api *compiled.API) []scheme {
	list := make([]scheme, len(api.Authentication))
	last := true
	for i := len(list) - 1; i >= 0; i-- {
		s := &list[i]
		*s = scheme{Scheme: &api.Authentication[i], read: (*scheme).readAuthorization, parse: only, isLast: last}
		// Keys and cookies have no registered word; theirs is only for people. The charset makes browsers send names
		// beyond ASCII as UTF-8 (RFC 7617, section 2.1).
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
			s.parse, s.word, s.isToken, s.isDiscoverable = token68, "Bearer", true, isDiscoverable(s.Kind)
		}
		s.realm = s.word + ` realm="` + s.Name + `"` + more
		last = last && (s.Kind == "apikey" || s.Kind == "cookie")
	}
	return list
}

// readCredentials authenticates the request by the first scheme whose credentials it has. Invalid credentials are an
// error for every operation. Without credentials the caller is anonymous, and rules decide whether that is enough.
func readCredentials(ctx context.Context, c *call) error {
	for i := range c.op.schemes {
		given, found, err := c.op.schemes[i].read(&c.op.schemes[i], c.r)
		switch {
		case errors.Is(err, errSeveralCookies):
			return c.authenticateOne(ctx, &c.op.schemes[i])
		case err != nil:
			return c.op.credentialsError(c.r, &c.op.schemes[i], err)
		case found:
			return c.authenticate(ctx, i, given)
		}
	}
	return nil
}

// checkOrigin rejects requests from pages of another origin to an operation that ignores credentials, because it may set
// a cookie that signs the visitor in as another caller, or out.
func checkOrigin(_ context.Context, c *call) error {
	isCookie := func(s scheme) bool { return s.Kind == "cookie" }
	if slices.ContainsFunc(c.op.schemes, isCookie) && c.op.API.CrossOrigin.Check(c.r) != nil {
		return errCrossOrigin
	}
	return nil
}

// authenticate calls the scheme's function. If several schemes take tokens, it tries each until one accepts the token.
// Browsers send cookies and Basic credentials for any page, so a request from another origin is rejected first.
func (c *call) authenticate(ctx context.Context, i int, given credentials) error {
	s := &c.op.schemes[i]
	isSentBlindly := s.Kind == "cookie" || s.Kind == "basic" && c.r.Method == http.MethodPost && isBlind(c.r)
	if isSentBlindly && c.op.API.CrossOrigin.Check(c.r) != nil {
		return errCrossOrigin
	}
	err := c.verify(ctx, s, given)
	if errors.Is(err, access.ErrCredentials) {
		for j := i + 1; j < len(c.op.schemes); j++ {
			if s.isToken && c.op.schemes[j].isToken {
				return c.authenticate(ctx, j, given)
			}
		}
		return c.op.credentialsError(c.r, s, err)
	}
	return err
}

// verify sets the caller to the one that the scheme's function returns. The error is access.ErrCredentials for invalid
// credentials.
func (c *call) verify(ctx context.Context, s *scheme, given credentials) error {
	c.secret = given.secret
	if s.Kind == "basic" { // limits of guesses need the client
		ctx = operation.WithRequest(ctx, &operation.Request{Kind: c.op.Kind, Name: c.op.Name, Origin: operation.From(c.r, nil)})
	}
	principal, scopes, err := s.Authenticate(ctx, given.user, given.secret)
	switch {
	case errors.Is(err, access.ErrCredentials):
		return access.ErrCredentials
	case err != nil:
		if limited, ok := errors.AsType[operation.Error](err); ok && limited.Status == http.StatusTooManyRequests {
			return problem.Of(limited)
		}
		return &unverifiedError{s.Name, err}
	case isNothing(principal):
		return fmt.Errorf("the authenticate function of scheme %q returned neither a principal nor an error", s.Name)
	}
	c.principal, c.scopes = principal, scopes
	return nil
}

// maxCookies limits how many cookies of one name a request can have.
const maxCookies = 8

// authenticateOne authenticates a request with several cookies of one name. A page of a sibling domain can add cookies to
// those of the service, so invalid ones are ignored, or they would lock the user out. Two valid ones are an error,
// because nothing says which of them the service has set.
func (c *call) authenticateOne(ctx context.Context, s *scheme) error {
	if c.op.API.CrossOrigin.Check(c.r) != nil {
		return errCrossOrigin
	}
	cookies := c.r.CookiesNamed(s.Field)
	valid, secret := 0, ""
	for _, cookie := range cookies[:min(len(cookies), maxCookies)] {
		given, err := only(cookie.Value)
		if err == nil {
			err = c.verify(ctx, s, given)
		}
		switch {
		case err == nil:
			valid, secret = valid+1, given.secret
		case !errors.Is(err, access.ErrCredentials):
			return err
		}
	}
	if valid != 1 || len(cookies) > maxCookies {
		c.principal, c.scopes = nil, nil
		return c.op.credentialsError(c.r, s, access.ErrCredentials)
	}
	c.secret = secret
	return nil
}

// isNothing reports whether a principal is nil, or a nil pointer.
func isNothing(principal any) bool {
	v := reflect.ValueOf(principal)
	return !v.IsValid() || v.Kind() == reflect.Pointer && v.IsNil()
}

// unverifiedError is the error of an authenticate function that could not check the credentials.
type unverifiedError struct {
	scheme string
	err    error
}

func (e *unverifiedError) Error() string { return "scheme " + e.scheme + ": " + e.err.Error() }
func (e *unverifiedError) Unwrap() error { return e.err }

// Reasons to reject credentials in addition to access.ErrCredentials, which malformed ones have too.
var (
	errTwice          = errors.New("more than one set of credentials")
	errSeveralCookies = errors.New("several cookies of one name")
)

// errCrossOrigin rejects unsafe requests that pages of another origin make a browser send with its cookies.
var errCrossOrigin = problem.New(http.StatusForbidden, "Requests from other origins are not allowed.")

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
	if len(values) > 1 {
		return given, true, errSeveralCookies
	}
	return onlyOf(values)
}

// readAuthorization reads the field Authorization. Only the last scheme that reads it rejects an unknown word, because
// the field may be for another scheme.
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
			err = access.ErrCredentials
		}
		return given, false, err
	}
	given, err = s.parse(rest)
	return given, true, err
}

// maxSecret is the maximum size of credentials in bytes: many times the size of self-contained tokens.
const maxSecret = 32 << 10

// onlyOf returns the credentials in a field, which must have one value.
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

// only returns credentials that are one string of printable ASCII.
func only(text string) (credentials, error) {
	if text == "" || len(text) > maxSecret || strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r > '~' }) {
		return credentials{}, access.ErrCredentials
	}
	return credentials{secret: text}, nil
}

// token68 checks a bearer token (RFC 6750, section 2.1).
func token68(text string) (credentials, error) {
	if len(text) > maxSecret || !httpfield.IsOf(strings.TrimRight(text, "="), "-._~+/") {
		return credentials{}, access.ErrCredentials
	}
	return credentials{secret: text}, nil
}

// nameAndPassword reads Basic credentials (RFC 7617, section 2). The name ends at the first colon; only the password may
// contain one.
func nameAndPassword(encoded string) (credentials, error) {
	if len(encoded) > maxSecret {
		return credentials{}, access.ErrCredentials
	}
	decoded, err := base64.StdEncoding.Strict().DecodeString(encoded)
	text := string(decoded)
	user, password, ok := strings.Cut(text, ":")
	isControl := func(r rune) bool { return r < ' ' || r == 0x7f }
	if err != nil || !ok || !utf8.ValidString(text) || strings.ContainsFunc(text, isControl) {
		return credentials{}, access.ErrCredentials
	}
	return credentials{user, password}, nil
}

// credentialsError returns the error of invalid credentials: 401, or 400 for several. To choose one of several would let
// a proxy that adds a field decide who the caller is.
func (o *Operation) credentialsError(r *http.Request, s *scheme, err error) error {
	if errors.Is(err, errTwice) {
		p := problem.New(http.StatusBadRequest, "The request has more than one set of credentials. Send only one.")
		if s.isToken {
			p.Header = []string{authenticate, s.realm + `, error="invalid_request"`}
		}
		return p
	}
	return o.unauthorized(r, "Invalid credentials.", s)
}

// unauthorized returns a 401. Bad is the scheme whose credentials were invalid, nil if the request had none.
func (o *Operation) unauthorized(r *http.Request, detail string, bad *scheme) *problem.Problem {
	p := problem.New(problem.Unauthorized.Status(), detail)
	p.Header = o.challenges(r, bad)
	return p
}

// challenges returns the WWW-Authenticate fields: one for each scheme, because clients cannot know which schemes exist.
// Browsers ask for a password in a window of their own if they see a challenge for Basic, so the page of the admin gets none.
// Only those for tokens have an error code (RFC 6750, section 3.1).
func (o *Operation) challenges(r *http.Request, bad *scheme) (header []string) {
	for i := range o.schemes {
		if o.schemes[i].Kind == "basic" && len(r.Header[CallerField]) > 0 {
			continue
		}
		challenge := o.challenge(r, &o.schemes[i])
		if bad != nil && o.schemes[i].isToken && bad.isToken {
			challenge += `, error="invalid_token"`
		}
		header = append(header, authenticate, challenge)
	}
	return header
}

// problemOfForbidden returns the problem of a call that a rule denies: 401 if signing in could help, else 403, because
// browsers ask for a password after a 401.
func (o *Operation) problemOfForbidden(r *http.Request, denied *forbiddenError) *problem.Problem {
	if denied.SignIn && len(o.schemes) > 0 {
		return o.unauthorized(r, problem.Unauthorized.Detail(), nil)
	}
	p := problem.New(problem.Forbidden.Status(), denied.Error())
	if field := denied.Path(); field != "" {
		p.Fields = []problem.Field{{Name: "field", Value: field}}
	}
	if denied.Scopes == nil {
		return p
	}
	for i := range o.schemes {
		if o.schemes[i].isToken {
			p.Header = append(p.Header, authenticate,
				o.challenge(r, &o.schemes[i])+`, error="insufficient_scope", scope="`+strings.Join(denied.Scopes, " ")+`"`)
		}
	}
	return p
}

// isBlind reports whether a page of another origin can make a browser send a POST with its Basic credentials, without a
// question to the server first (CORS).
func isBlind(r *http.Request) bool {
	mediaType, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	return slices.Contains([]string{"", "text/plain", "multipart/form-data", "application/x-www-form-urlencoded"}, mediaType)
}

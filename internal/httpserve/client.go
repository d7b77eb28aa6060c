package httpserve

import (
	"encoding"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/operation"
)

// client returns a text that tells the client of a request apart from all others, so that
// none is given the answer to another: the principal, where somebody said who it is, else
// what the client authorizes itself with. All clients that bring nothing of the sort are
// one, the public.
func (x *exchange) client() (string, error) {
	r, principal := x.r, x.call.Principal
	if principal == nil {
		principal = operation.PrincipalFrom(r.Context())
	}
	v := reflect.ValueOf(principal)
	if !v.IsValid() || v.Kind() == reflect.Pointer && v.IsNil() {
		return authorizes(r), nil
	}
	text, ok := textOf(principal, v)
	switch {
	case !ok && x.secret != "": // a scheme has found out whose they are
		return authorizes(r), nil
	case !ok:
		return "", fmt.Errorf("%s: the principal is a %s, which nothing tells apart from another one; "+
			"allowed: a string, an integer, or a type with a method String or MarshalText that names each by another text",
			idempotencyKey, v.Type())
	case text == "":
		return authorizes(r), nil
	}
	// Principals of two types, such as users and machines, may have the same text.
	for v.Kind() == reflect.Pointer {
		v = v.Elem()
	}
	return "principal " + v.Type().String() + " " + text, nil
}

// textOf returns the text that a principal is known by, and whether there is one. That of a
// string or a number is its value, for a method String of it may say less.
// A type that names all of its values alike, by a method of its own, parts no client from another:
// that is the user's to see to.
func textOf(principal any, v reflect.Value) (string, bool) {
	switch v.Kind() {
	case reflect.String:
		return v.String(), true
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return strconv.FormatInt(v.Int(), 10), true
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return strconv.FormatUint(v.Uint(), 10), true
	}
	switch named := principal.(type) {
	case encoding.TextMarshaler, encoding.TextAppender:
		text, err := model.MarshalText(named)
		return string(text), err == nil
	case fmt.Stringer:
		return named.String(), true
	}
	return "", false
}

// Words in the names of fields that clients authorize themselves with: Authorization,
// Cookie, X-API-Key, X-Auth-Token, X-Forwarded-User and so on. Which one a service asks for
// nobody has told, and a field too many parts a client from itself at worst.
var (
	credentialWords = []string{"auth", "cookie", "key", "token", "secret", "session", "user", "principal", "identity", "account", "tenant"}
	otherFields     = []string{idempotencyKey, "User-Agent"}
)

// authorizes returns what a client authorizes itself with: fields of the header, and the
// certificate of its connection.
func authorizes(r *http.Request) string {
	var lines []string
	for name, values := range r.Header {
		isCredential := func(word string) bool { return strings.Contains(strings.ToLower(name), word) }
		if slices.ContainsFunc(credentialWords, isCredential) && !slices.Contains(otherFields, name) {
			lines = append(lines, fmt.Sprintf("%s %q", name, values))
		}
	}
	slices.Sort(lines)
	if r.TLS != nil && len(r.TLS.PeerCertificates) > 0 {
		lines = append(lines, string(r.TLS.PeerCertificates[0].Raw))
	}
	return "credentials " + strings.Join(lines, "\n")
}

// refuseKey refuses the key of a client that nothing tells apart. The client can do without,
// so that it is told to; the mistake is the service's, so that it is logged.
// To keep the answer under no client's name would be worse: anybody who guesses a key would get it.
func (x *exchange) refuseKey(err error) error {
	incident := newIncident()
	x.log(err, incident)
	refusal := refuseParameter(wrongParameter{
		idempotencyKey, "header", idempotencyKey + " cannot be used here, for the service cannot tell who its clients are; send the request without it",
	})
	refusal.Incident = incident
	return refusal
}

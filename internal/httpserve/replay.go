package httpserve

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"

	"github.com/trove-api/trove/internal/execute"
	"github.com/trove-api/trove/internal/problem"
	"github.com/trove-api/trove/operation"
)

// idempotencyKey is the field that makes a Post safe to send again (draft-ietf-httpapi-idempotency-key-header).
const idempotencyKey = "Idempotency-Key"

// maxKey is how many characters a key may have.
const maxKey = 255

// reply is an answer as it is kept. It is sent again as it was, whichever format the second
// request asks for: there is no record any more of which another one would be the answer.
type reply struct {
	Status int         `json:"status"`
	Type   string      `json:"type"` // Content-Type
	Header http.Header `json:"header"`
	Body   []byte      `json:"body"`
	// Standing is who the answer was for, as rules of access know them.
	Standing []byte `json:"standing,omitempty"`
}

// errPermissionsChanged refuses an answer that was made for rights which its client no longer has, or did not have then.
var errPermissionsChanged = problem.New(http.StatusForbidden,
	"Your permissions have changed since the first request with this "+idempotencyKey+". Use a new key.")

// readKey reads the Idempotency-Key, where the operation keeps answers.
func readKey(_ context.Context, x *exchange) error {
	lines := x.r.Header[idempotencyKey]
	if lines == nil {
		return nil
	}
	key, ok := unquoteKey(lines)
	if !ok {
		return parameterProblem(wrongParameter{
			idempotencyKey, "header",
			fmt.Sprintf("%s must be one string of 1 to %d visible ASCII characters", idempotencyKey, maxKey),
		})
	}
	// Two clients may choose one key, by chance or not: neither may see the answer to the other.
	client, err := x.client()
	if err != nil {
		return x.keyError(err)
	}
	x.call.Key = &execute.Key{
		// A hash, so that the store keeps neither credentials nor whatever the client wrote in the key.
		Name:    hex.EncodeToString(hashOf(x.op.ID, x.path, client, key)),
		Request: hashOf(x.r.Method, x.r.URL.RawQuery, x.sameHeader(), string(x.call.Body)),
	}
	return nil
}

// sameHeader returns the fields of the header that two requests must have in common to be the same: those that say what
// is asked for, of which the operation's own parameters and the conditions are some.
func (x *exchange) sameHeader() string {
	names := []string{"Content-Type", "If-Match", "If-None-Match", "If-Unmodified-Since"}
	for _, p := range x.op.Parameters.List {
		if p.Header {
			names = append(names, p.Name)
		}
	}
	var b strings.Builder
	for _, name := range names {
		_, _ = fmt.Fprintf(&b, "%s %q\n", name, x.r.Header.Values(name)) // a builder takes everything
	}
	return b.String()
}

// unquoteKey returns the key, which may be quoted as the draft has it, or bare as many clients send it.
func unquoteKey(lines []string) (string, bool) {
	if len(lines) != 1 {
		return "", false
	}
	key := strings.Trim(lines[0], " \t")
	if len(key) >= 2 && key[0] == '"' && key[len(key)-1] == '"' {
		key = key[1 : len(key)-1]
	}
	isInvisible := func(r rune) bool { return r <= ' ' || r > '~' || r == '"' }
	return key, 0 < len(key) && len(key) <= maxKey && !strings.ContainsFunc(key, isInvisible)
}

// hashOf returns a hash of texts, each apart from the next.
// With the length before each text, for "ab" and "c" must not be "a" and "bc".
func hashOf(texts ...string) []byte {
	hash := sha256.New()
	for _, text := range texts {
		_, _ = fmt.Fprintf(hash, "%d ", len(text))
		_, _ = io.WriteString(hash, text) // a hash takes everything
	}
	return hash.Sum(nil)
}

// client returns a text that tells the client of a request apart from all others, so that none is given the answer to
// another: the principal, where somebody said who it is, else what the client authorizes itself with. All clients that
// bring nothing of the sort are one, the public.
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

// textOf returns the text that a principal is known by, and whether there is one. That of a string or a number is its
// value, for a method String of it may say less. A type that names all of its values alike, by a method of its own,
// parts no client from another: that is the user's to see to.
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
	case encoding.TextAppender:
		text, err := named.AppendText(nil)
		return string(text), err == nil
	case encoding.TextMarshaler:
		text, err := named.MarshalText()
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

// authorizes returns what a client authorizes itself with: fields of the header, and the certificate of its connection.
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

// keyError refuses the key of a client that nothing tells apart. The client can do without,
// so that it is told to; the mistake is the service's, so that it is logged.
// To keep the answer under no client's name would be worse: anybody who guesses a key would get it.
func (x *exchange) keyError(err error) error {
	incident := newIncident()
	x.log(err, incident)
	refusal := parameterProblem(wrongParameter{
		idempotencyKey, "header", idempotencyKey + " is not supported here; send the request without it",
	})
	refusal.Incident = incident
	return refusal
}

// Keep returns the answer as it is kept.
// Header fields are kept with it, for a client that never got the first answer needs its Location.
func (x *exchange) Keep() ([]byte, error) {
	header := http.Header{}
	x.setHeader(header)
	return json.Marshal(reply{Status: x.status, Type: x.format.ContentType, Header: header, Body: x.body, Standing: x.call.PermissionHash()})
}

// respondAgain sends the response to an earlier request with the same key.
func (x *exchange) respondAgain() error {
	var kept reply
	if err := json.Unmarshal(x.result.Kept, &kept); err != nil {
		return err
	}
	if !bytes.Equal(kept.Standing, x.call.PermissionHash()) {
		return errPermissionsChanged
	}
	header := x.w.Header()
	for name, lines := range kept.Header {
		// Behind what a middleware has set for this request, such as its own identifier.
		header[name] = append(header[name], lines...)
	}
	header["Idempotent-Replayed"] = []string{"true"}
	x.status, x.body = kept.Status, kept.Body
	x.send(header, []string{cmp.Or(kept.Type, x.format.ContentType)})
	return nil
}

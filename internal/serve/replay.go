package serve

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/trove-api/trove/internal/authz"
	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/problem"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/store"
)

// keyField is the field that makes a Post safe to send again (draft-ietf-httpapi-idempotency-key-header).
const keyField = "Idempotency-Key"

// idempotencyKey is the key of a request. A second request with the same key gets the response of the first.
type idempotencyKey struct {
	name    string // unique to the client and the operation
	request []byte // a hash of the request; requests with different hashes are different
}

// maxKey is how many characters a key may have.
const maxKey = 255

// reply is a stored response. It is sent again unchanged, even if the second request wants another format, because the record
// of that time no longer exists.
type reply struct {
	Status int         `json:"status"`
	Type   string      `json:"type"` // Content-Type
	Header http.Header `json:"header"`
	Body   []byte      `json:"body"`
	// Permissions is the hash of the permissions of the client that the response was for.
	Permissions []byte `json:"standing,omitempty"`
	// Records are those of its records whose rules look at others.
	Records []shownRecords `json:"records,omitempty"`
}

// shownRecords are records of a stored response whose rules look at others, whose changes change permissions.
type shownRecords struct {
	Path string   `json:"path,omitempty"` // of the expansion that has embedded them; "" for the records of the operation
	IDs  []string `json:"ids"`

	records []any // nil for each that no longer exists
}

// errPermissionsChanged is the error of a stored response for other permissions than those of the client.
var errPermissionsChanged = problem.New(http.StatusForbidden,
	"Your permissions have changed since the first request with this "+keyField+". Use a new key.")

// readKey reads the Idempotency-Key, if the operation stores responses.
func readKey(_ context.Context, c *call) error {
	lines := c.r.Header[keyField]
	if lines == nil {
		return nil
	}
	key, ok := unquoteKey(lines)
	if !ok {
		return parameterProblem(wrongParameter{
			Name: keyField, In: "header",
			Message: fmt.Sprintf("%s must be one string of 1 to %d visible ASCII characters", keyField, maxKey),
		})
	}
	// Two clients may choose the same key. Neither may see the response to the other.
	client, err := clientOf(c.r, c.principal, c.secret)
	if err != nil { // storing the response without the client would give it to everyone who guesses the key
		p := parameterProblem(wrongParameter{
			Name: keyField, In: "header", Message: keyField + " is not supported here; send the request without it",
		})
		p.Incident = newIncident()
		c.log(err, p.Incident)
		return p
	}
	c.key = &idempotencyKey{
		// A hash, so that the store has neither credentials nor the key itself.
		name: hex.EncodeToString(hashOf(c.op.ID, c.path, client, key)),
		// With the key, which is secret, so that the store does not help to guess what a body has, such as a password.
		request: hashOf(key, c.r.Method, c.r.URL.RawQuery, c.op.sameHeader(c.r), string(c.body)),
	}
	return nil
}

// sameHeader returns the header fields that must be equal for two requests to be the same, such as parameters and
// preconditions.
func (o *Operation) sameHeader(r *http.Request) string {
	names := []string{"Content-Type", "If-Match", "If-None-Match", "If-Unmodified-Since"}
	for _, p := range o.Parameters.List {
		if p.Header {
			names = append(names, p.Name)
		}
	}
	var b strings.Builder
	for _, name := range names {
		_, _ = fmt.Fprintf(&b, "%s %q\n", name, r.Header.Values(name)) // a builder returns no errors
	}
	return b.String()
}

// unquoteKey returns the key, which may be quoted as in the draft, or bare as from many clients.
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

// hashOf returns a hash of strings, each with its length, so that "ab" and "c" differ from "a" and "bc".
func hashOf(texts ...string) []byte {
	hash := sha256.New()
	for _, text := range texts {
		_, _ = fmt.Fprintf(hash, "%d ", len(text))
		_, _ = io.WriteString(hash, text) // a hash returns no errors
	}
	return hash.Sum(nil)
}

// clientOf returns a string that identifies the client of a request, so that no client gets the response to another: the
// principal, else the credentials. All clients without credentials are the same one.
func clientOf(r *http.Request, principal any, secret string) (string, error) {
	if principal == nil {
		principal = operation.PrincipalFrom(r.Context())
	}
	if isNothing(principal) {
		return authorizes(r, secret), nil
	}
	v := reflect.ValueOf(principal)
	text, ok := textOf(principal, v)
	switch {
	case !ok && secret != "": // a scheme has authenticated the credentials
		return authorizes(r, secret), nil
	case !ok:
		return "", fmt.Errorf("%s: the principal has type %s, which does not identify it; "+
			"allowed: a string, an integer, or a type with a method String or MarshalText that differs for each principal",
			keyField, v.Type())
	case text == "":
		return authorizes(r, secret), nil
	}
	// Principals of two types, such as users and machines, may have the same text.
	for v.Kind() == reflect.Pointer {
		v = v.Elem()
	}
	return "principal " + v.Type().String() + " " + text, nil
}

// textOf returns the string that identifies a principal, and whether there is one. For a string or a number it is the value,
// because its method String may say less. Other types must have a method that returns different strings for different
// principals.
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

// credentialWords are words in the names of header fields with credentials: Authorization, Cookie, X-API-Key, X-Auth-Token,
// X-Forwarded-User and so on. Trove does not know which ones a service uses. A field too many at worst treats a client as two.
var (
	credentialWords = []string{"auth", "cookie", "key", "token", "secret", "session", "user", "principal", "identity", "account", "tenant"}
	otherFields     = []string{keyField, "User-Agent"}
)

// authorizes returns the credentials of a client: the secret that a scheme has read, if any, header fields, and the certificate
// of its connection.
func authorizes(r *http.Request, secret string) string {
	lines := []string{strconv.Quote(secret)}
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

// findResponse looks up the response to an earlier request with the key. It runs in the transaction: otherwise two
// concurrent requests with one key could both save.
func findResponse(ctx context.Context, c *call) error {
	kept, err := c.tx.Response(ctx, c.key.name)
	switch {
	case errors.Is(err, store.ErrNotFound):
		return nil
	case err != nil:
		return err
	case !slices.Equal(kept.Request, c.key.request):
		return problemOfKind(problem.KeyReused)
	}
	c.kept = append([]byte{}, kept.Content...) // never nil
	return nil
}

// keepResponse stores the response, with header fields such as Location, in the transaction of the change, so that both
// are committed or neither.
func keepResponse(ctx context.Context, c *call) error {
	header := http.Header{}
	c.setHeader(header) // it also sets the status
	kept := reply{Status: c.status, Type: c.format.ContentType, Header: header, Body: c.response}
	kept.Records = c.looking()
	for i := range kept.Records {
		of, _ := c.op.replayed(kept.Records[i].Path)
		for _, record := range kept.Records[i].records {
			text, err := of.ID.Text(of.ID.Of(record))
			if err != nil {
				return err
			}
			kept.Records[i].IDs = append(kept.Records[i].IDs, text)
		}
	}
	var err error
	if kept.Permissions, err = c.op.permissionHash(ctx, &c.caller, kept.Records); err != nil {
		return err
	}
	content, err := json.Marshal(kept)
	if err != nil {
		return err
	}
	return c.tx.KeepResponse(ctx, c.key.name, store.StoredResponse{
		Request: c.key.request, Content: content, Expires: time.Now().Add(c.op.Idempotency),
	})
}

// permissionHash returns a hash of the caller's permissions, nil if no rule depends on the caller. It is stored with a
// response, so that the response is not replayed to another caller with the same key or after permissions have changed.
func (o *Operation) permissionHash(ctx context.Context, caller *authz.Caller, kept []shownRecords) ([]byte, error) {
	if !o.Private {
		return nil, nil
	}
	sum := sha256.New()
	for _, each := range []*Operation{o, o.element} {
		if each == nil {
			continue
		}
		rules := each.rules()
		if each.When != nil {
			rules = append(rules, each.When.Rule)
		}
		for _, rule := range append(rules, embeddedRules(each.Expansions)...) {
			rule.HashPermissions(caller, sum)
		}
	}
	for i := range kept {
		_, rules := o.replayed(kept[i].Path)
		for _, record := range kept[i].records {
			for _, rule := range rules {
				if err := rule.HashRecord(ctx, caller, record, sum); err != nil {
					return nil, err
				}
			}
		}
	}
	return sum.Sum(nil), nil
}

// rules returns the rules of the operation and of the fields that it shows; nil for those that allow everyone.
func (o *Operation) rules() []*authz.Rule {
	rules := o.Resource.Gate.ReadRules()
	if o.Gate != nil {
		rules = append(rules, o.Gate.Read, o.Gate.Act)
	}
	return rules
}

// embeddedRules returns the rules of records that a response embeds, and of those within them.
func embeddedRules(list []*compiled.Expansion) (rules []*authz.Rule) {
	for _, e := range list {
		rules = append(append(rules, e.Resource.Read), e.Resource.Gate.ReadRules()...)
		rules = append(rules, embeddedRules(e.Inner)...)
	}
	return rules
}

// looking returns the records of the response whose rules look at others.
func (c *call) looking() (kept []shownRecords) {
	var records []any
	switch {
	case c.op.element != nil:
		for _, e := range c.elements {
			records = append(records, e.record)
		}
	case c.record != nil && (!c.op.Custom || c.op.Item):
		records = []any{c.record}
	}
	add := func(path string, records []any) {
		_, rules := c.op.replayed(path)
		if len(records) > 0 && slices.ContainsFunc(rules, (*authz.Rule).LooksBehind) {
			kept = append(kept, shownRecords{Path: path, records: records})
		}
	}
	add("", records)
	var addEmbedded func(list []*expanded)
	addEmbedded = func(list []*expanded) {
		for _, e := range list {
			found, _ := e.found()
			add(e.Path, found)
			addEmbedded(e.Inner)
		}
	}
	addEmbedded(c.embedded)
	return kept
}

// replayed returns the resource of records in a stored response, and the rules by which the response shows them: of those that
// an expansion embeds, or with the path "" those of the operation.
func (o *Operation) replayed(path string) (*compiled.Resource, []*authz.Rule) {
	if path != "" {
		e := expansionAt(o.Expansions, path)
		return e.Resource, append(e.Resource.Gate.ReadRules(), e.Resource.Read)
	}
	of := cmp.Or(o.element, o)
	return of.Resource, of.rules()
}

// expansionAt returns the expansion with a path, nil for none.
func expansionAt(list []*compiled.Expansion, path string) *compiled.Expansion {
	for _, e := range list {
		if e.Path == path {
			return e
		}
		if found := expansionAt(e.Inner, path); found != nil {
			return found
		}
	}
	return nil
}

// respondAgain sends the response to an earlier request with the same key.
func (c *call) respondAgain() error {
	var kept reply
	if err := json.Unmarshal(c.kept, &kept); err != nil {
		return err
	}
	ctx := c.r.Context()
	for i := range kept.Records {
		if err := c.op.loadKept(ctx, &kept.Records[i]); err != nil {
			return err
		}
	}
	now, err := c.op.permissionHash(ctx, &c.caller, kept.Records)
	if err != nil {
		return err
	}
	if !bytes.Equal(kept.Permissions, now) {
		return errPermissionsChanged
	}
	header := c.w.Header()
	for name, lines := range kept.Header {
		// After those that middleware has set for this request.
		header[name] = append(header[name], lines...)
	}
	header["Idempotent-Replayed"] = []string{"true"}
	c.status, c.response = kept.Status, kept.Body
	c.send(header, []string{cmp.Or(kept.Type, c.format.ContentType)})
	return nil
}

// loadKept loads the records of a stored response as they are now.
func (o *Operation) loadKept(ctx context.Context, kept *shownRecords) (err error) {
	if kept.Path != "" && expansionAt(o.Expansions, kept.Path) == nil { // of an earlier version of the program
		return errPermissionsChanged
	}
	of, _ := o.replayed(kept.Path)
	ids := make([]any, len(kept.IDs))
	for i, text := range kept.IDs {
		var ok bool
		if ids[i], ok = of.ID.Parse(text); !ok {
			return errPermissionsChanged
		}
	}
	kept.records, err = of.Store.GetMany(ctx, ids, nil)
	return err
}

package invoke

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/internal/serve"
	"github.com/trove-api/trove/operation"
)

// Who is what a page may show its user of themselves.
type Who struct {
	By     string   `json:"by"`     // the text of the principal in histories; "" if there is none
	Name   string   `json:"name"`   // the title of their record, else the text of the principal; "" if there is none
	Roles  []string `json:"roles"`  // the fields role and roles of their record
	Scopes []string `json:"scopes"` // nil for credentials that grant everything
}

// Who returns what is known of the caller, nil for an anonymous one. It has no field that rules hide from them.
func (c *Caller) Who() *Who {
	ctx := c.request.Context()
	principal := c.client.Principal(ctx)
	if c.IsAnonymous() {
		return nil
	}
	who := &Who{Roles: []string{}}
	if scopes := c.client.Scopes(); len(scopes) != 1 || &scopes[0] != &access.Unlimited[0] {
		who.Scopes = slices.Clone(scopes)
	}
	if by, _ := serve.Cause(operation.WithPrincipal(ctx, principal)); by != nil {
		who.By, who.Name = *by, *by
	}
	r, record := c.endpoint.api.recordOf(reflect.ValueOf(principal))
	if r == nil {
		return who
	}
	if texts := c.strings(r, record, r.TitleField()); len(texts) > 0 {
		who.Name = texts[0]
	}
	who.Roles = append(append(who.Roles, c.strings(r, record, "role")...), c.strings(r, record, "roles")...)
	return who
}

// recordOf returns the record that a principal is or embeds, and its resource; nil for none.
func (a *API) recordOf(v reflect.Value) (*Resource, reflect.Value) {
	for v.Kind() == reflect.Pointer && !v.IsNil() {
		v = v.Elem()
	}
	if v.Kind() != reflect.Struct {
		return nil, v
	}
	if i := slices.IndexFunc(a.Resources, func(r *Resource) bool { return r.Struct.Go == v.Type() }); i >= 0 {
		return a.Resources[i], v
	}
	for field, inner := range v.Fields() {
		if field.Anonymous && field.IsExported() {
			if r, record := a.recordOf(inner); r != nil {
				return r, record
			}
		}
	}
	return nil, v
}

// strings returns the strings in a field of a record, without empty ones; none if the caller may not see it.
func (c *Caller) strings(r *Resource, record reflect.Value, name string) (texts []string) {
	f := r.Field(name)
	if f == nil || f.Inverse || f.Computed || !f.Readable() || !c.Sees(f) {
		return nil
	}
	v := f.Value(record)
	switch {
	case v.Kind() == reflect.String:
		texts = []string{v.String()}
	case v.Kind() == reflect.Slice && v.Type().Elem().Kind() == reflect.String:
		for _, one := range v.Seq2() {
			texts = append(texts, one.String())
		}
	}
	return slices.DeleteFunc(texts, func(text string) bool { return strings.TrimSpace(text) == "" })
}

// tag returns an opaque text of two parts: the first differs between callers, the second also between what [Caller.Who]
// returns of one. Both are HMACs with the key, which the client chooses for each page: without the key they mean nothing, and
// the tags of two pages cannot be compared. A caller knows the key and can try guesses, so nothing is hashed that they may not
// see.
func (c *Caller) tag(key string) string {
	part := func(texts ...string) string {
		hash := hmac.New(sha256.New, []byte(key))
		for _, text := range texts {
			_, _ = fmt.Fprintf(hash, "%q ", text) // a hash takes everything
		}
		return base64.RawURLEncoding.EncodeToString(hash.Sum(nil)[:12])
	}
	who := c.Who()
	if who == nil {
		return part() + "." + part()
	}
	identity := c.client.Identity(c.request, who.By)
	if r, record := c.endpoint.api.recordOf(reflect.ValueOf(c.client.Principal(c.request.Context()))); r != nil && c.knowsID(r) {
		ids := make([]string, 0, 1)
		for _, id := range r.ID.Fields() {
			ids = append(ids, fmt.Sprint(id.Value(record)))
		}
		identity = fmt.Sprintf("record %s %q", r.ShortName, ids)
	}
	text, _ := json.Marshal(who) // strings alone
	return part("caller", identity) + "." + part("who", identity, string(text))
}

// knowsID reports whether the caller may see the identifier of a record of a resource, as far as rules decide without a record.
func (c *Caller) knowsID(r *Resource) bool {
	return !slices.ContainsFunc(r.ID.Names(), func(name string) bool {
		f := r.Field(name)
		shows := func(o *Operation) bool { return o.Reads && o.Returns(f) && c.May(o) }
		return f == nil || !c.Sees(f) || !slices.ContainsFunc(r.Operations, shows)
	})
}

// Mark sets the tag of the caller, for a request with a key in its header field. By it a page notices that it has another
// caller than before, such as an anonymous one after the end of a session.
func (c *Caller) Mark(w http.ResponseWriter) {
	if key := c.request.Header[serve.CallerField]; len(key) > 0 && key[0] != "" {
		w.Header().Set(serve.CallerField, c.tag(key[0]))
	}
}

// MarkCallers marks the callers of all operations, as soon as they are known. A request without a key costs a look at its
// header. Call it before serving.
func (a *API) MarkCallers(path string) {
	e := a.Endpoint(path)
	for _, o := range a.Operations {
		o.server.Witness(func(w http.ResponseWriter, r *http.Request, client *serve.Client) {
			(&Caller{endpoint: e, request: r, client: client}).Mark(w)
		})
	}
}

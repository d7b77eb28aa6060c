package session

import (
	"context"
	"fmt"
	"reflect"
	"strconv"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/operation"
)

// credentials is the body of a sign-in, with the name and the password that the client sends.
type credentials struct {
	Name, Password string
	Session        Session // set by checkLogin
}

// named is a handler of credentials whose JSON has another name for the field Name: that of the field that users sign in
// with, such as email.
type named struct {
	marker
	compiled.Handler

	body reflect.Type // credentials with tags
}

// marker marks a type as an operation.Handler.
type marker interface{ operation.Handler }

// nameBody returns the handler with the names of JSON that a user's field gives it.
func nameBody(handler operation.Handler, name *model.Field) operation.Handler {
	example := `"ann"`
	if name.Example != nil {
		example = string(name.Example)
	}
	text, err := strconv.Unquote(example)
	if err != nil { // an escape that only JSON has
		text = "ann"
	}
	fields := reflect.VisibleFields(reflect.TypeFor[credentials]())
	for i, tag := range []string{
		fmt.Sprintf(`json:%q example:%q`, name.Name, text), `json:"password" example:"correct horse battery"`, `json:"-"`,
	} {
		fields[i].Tag = reflect.StructTag(tag)
	}
	return named{handler, handler.(compiled.Handler), reflect.StructOf(fields)}
}

// Types returns the types of the record, the body and the response.
func (n named) Types() (record, in, out reflect.Type) {
	record, _, out = n.Handler.Types()
	return record, n.body, out
}

// NewIn returns a pointer to a new body.
func (n named) NewIn() any { return reflect.New(n.body).Interface() }

// Before returns the function that runs before the transaction.
func (n named) Before() func(context.Context, *operation.Request, any) error {
	before := n.Handler.Before()
	return func(ctx context.Context, req *operation.Request, body any) error {
		return before(ctx, req, untagged(body))
	}
}

// Call runs the function.
func (n named) Call(ctx context.Context, record, in any) (any, error) {
	return n.Handler.Call(ctx, record, untagged(in))
}

// untagged returns the same body as *credentials.
func untagged(body any) any {
	return reflect.ValueOf(body).Convert(reflect.TypeFor[*credentials]()).Interface()
}

package validation

import (
	"context"
	"reflect"

	"github.com/go-playground/validator/v10"
)

// Rule is a validation rule of a user's own, for Config.Rules: one that validate tags
// name, or one over a whole struct made by [Struct].
type Rule struct {
	// Name is the rule's name in validate tags: lower-case letters, digits and
	// underscores. It must not be one of validator's own.
	Name string
	// Check reports whether a value follows the rule. It must be safe for use by many
	// goroutines. Functions written for validator fit.
	Check validator.Func
	// Message is what a client is told, after the field's name; "{param}" stands for
	// what the tag gave. Default: "is not valid".
	Message string
	// Schema is what the document says of a field with the rule: keywords of JSON
	// Schema, such as {"pattern": "^[a-z]+$"}. Default: nothing.
	Schema map[string]any

	structType reflect.Type
	structRule func(ctx context.Context, record any) error
}

// Struct makes a rule over every T in a body, at any depth, for what no single field
// can say: "endsAt must be after startsAt". It returns what [Fail] gives, with paths
// from that T, or nil; any other error is answered 500. It runs after the fields'
// rules, whatever they found.
func Struct[T any](check func(ctx context.Context, value *T) error) Rule {
	rule := Rule{structType: reflect.TypeFor[T]()}
	if check != nil {
		rule.structRule = func(ctx context.Context, value any) error { return check(ctx, value.(*T)) }
	}
	return rule
}

// StructCheck returns the type and the function of a rule made by [Struct]. The type
// is nil for a rule of tags, the function is nil where Struct was given none. The
// function's argument is a pointer to the struct.
func (r Rule) StructCheck() (reflect.Type, func(ctx context.Context, value any) error) {
	return r.structType, r.structRule
}

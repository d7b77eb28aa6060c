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
}

// Struct makes a rule over every T in a body, at any depth, for what no single field
// can say: "endsAt must be after startsAt". It returns what [Fail] gives, with paths
// from that T, or nil; any other error is answered 500. It runs after the fields'
// rules, whatever they found.
func Struct[T any](check func(ctx context.Context, value *T) error) Rule {
	var run func(ctx context.Context, value any) error
	if check != nil {
		run = func(ctx context.Context, value any) error { return check(ctx, value.(*T)) }
	}
	// A rule without a name judges no field: New asks it once, and is given its type and function.
	return Rule{Check: func(level validator.FieldLevel) bool {
		asking, ok := level.(interface {
			OverStruct(of reflect.Type, check func(ctx context.Context, value any) error)
		})
		if ok {
			asking.OverStruct(reflect.TypeFor[T](), run)
		}
		return ok
	}}
}

package validation

import (
	"context"
	"reflect"

	"github.com/go-playground/validator/v10"
)

// Rule is a custom validation rule for resource.Config.Rules. It applies to the fields whose validate tag names it,
// or to whole structs if [Struct] created it.
type Rule struct {
	// Name is the name of the rule in validate tags: lowercase letters, digits and underscores. It must not be the
	// name of a built-in rule.
	Name string
	// Check reports whether a value follows the rule. It must be safe for concurrent use. Functions written for
	// validator work unchanged.
	Check validator.Func
	// Message follows the name of the field in the error, such as "must be even". "{param}" is replaced by the
	// parameter in the tag. Default: "is not valid".
	Message string
	// Schema has JSON Schema keywords for fields with the rule, such as {"pattern": "^[a-z]+$"}. Default: only the
	// name and the message of the rule are documented.
	Schema map[string]any
}

// Struct returns a rule for every T in a body, at any depth. Use it to compare fields: "endsAt must be after
// startsAt".
//
// The function returns nil or errors of [Fail], with paths relative to that T. Any other error is logged and
// returns a 500. It runs after the rules of all fields, unless the body has wrong types or unknown fields, and must
// be safe for concurrent use.
func Struct[T any](check func(ctx context.Context, value *T) error) Rule {
	var run func(ctx context.Context, value any) error
	if check != nil {
		run = func(ctx context.Context, value any) error { return check(ctx, value.(*T)) }
	}
	// A rule without a name checks no field. New calls Check once to get the type and the function.
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

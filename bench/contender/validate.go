package contender

import (
	"errors"
	"reflect"

	"github.com/go-playground/validator/v10"
)

// newValidate returns a validator that names fields by their JSON names.
func newValidate() *validator.Validate {
	v := validator.New(validator.WithRequiredStructEnabled())
	v.RegisterTagNameFunc(func(field reflect.StructField) string { return field.Tag.Get("json") })
	return v
}

// failures returns a message for each field that breaks a rule, or nil if the error is about something else.
func failures(err error) map[string]string {
	broken, ok := errors.AsType[validator.ValidationErrors](err)
	if !ok {
		return nil
	}
	messages := make(map[string]string, len(broken))
	for _, failure := range broken {
		messages[failure.Field()] = "This value breaks the rule " + failure.Tag() + "."
	}
	return messages
}

package access

import (
	"context"
	"reflect"

	"github.com/trove-api/trove/store"
)

// Rule decides whether a caller may do or see something. Create rules with the functions of this package; nil means that
// no rule is set. Rules are safe for concurrent use.
//
// A rule that depends on the principal applies to one type of principal. It does not hold for anonymous callers, for
// principals of another type or for a nil pointer.
type Rule interface {
	// Describe returns the parts of the rule.
	Describe() Description

	sealed()
}

// Description describes a [Rule], for programs that show rules. Kind determines which fields are set; the others have
// their zero value.
type Description struct {
	// Kind is the name, in lower case, of the function or constant that creates such a rule. It is "public",
	// "authenticated", "if", "equal", "where", "scope", "any", "all", "not", "through", "related", "check" or "filter".
	Kind string
	// Name is the name of the rule in documents, logs and tests. Default: composed of the names of the parts, such as
	// "owner or admin".
	Name string
	// Named reports whether [Named] has set the name.
	Named bool
	// Parts are the rules of "any" and "all", and the single rule of "not", "through" and "related". resource.New rejects
	// nil entries.
	Parts []Rule
	// Field is the JSON name of the field that "equal" and "where" compare, and of the reference of "through". The
	// reference of "related" begins with its resource: "Membership.project".
	Field string
	// Values are the values of "where".
	Values []any
	// Scope is the scope of "scope".
	Scope string
	// Principal is the principal's type of "if", "equal" and "filter".
	Principal reflect.Type
	// Value is the type of the value of "equal".
	Value reflect.Type
	// Record is the struct type of "check".
	Record reflect.Type

	// Holds is the function of "if". It takes a principal of type Principal.
	Holds func(principal any) bool
	// Of is the function of "equal". It takes a principal of type Principal and returns a value of type Value.
	Of func(principal any) any
	// Check is the function of "check". It takes a pointer to a Record.
	Check func(ctx context.Context, record any) (bool, error)
	// Conditions is the function of "filter". It takes a principal of type Principal.
	Conditions func(ctx context.Context, principal any) ([]store.Condition, error)
}

// Rules has the access rules of a resource. An API without schemes and rules is open to everyone. With one scheme or rule
// anywhere in the API, an operation whose rule is nil is an error of resource.New.
type Rules struct {
	// Read decides which records a caller can see. Other records return 404 and are absent from collections and totals.
	// The rule must not contain a [Check]. Default: nil, see [Rules]. It also applies to a Get or GetCollection with a
	// Handler. If such a handler has no record and returns no store.Page, the rule must not depend on a record.
	// Otherwise resource.New returns an error, and the operation needs its own Access.
	Read Rule
	// Create applies to Post, and is also checked on the new record. It also applies to a Handler of a Post, Put, Patch
	// or Delete without a record, and must then not depend on a record. Default: nil, see [Rules].
	Create Rule
	// Update applies to Put, Patch and handlers with a record. It is checked on the record before and after the change.
	// Default: nil, see [Rules].
	Update Rule
	// Delete applies to Delete, and to operation.Purge. For a Delete with another Handler, Update or Create applies
	// instead. For one that removes a reference from a list, Update applies. Default: nil, see [Rules].
	Delete Rule
	// Deleted decides who sees records in the trash, of those that Read shows them: with the parameter deleted of Get and
	// GetCollection, and by operation.Restore and operation.Purge. The struct must have a field tagged api:"deleted". The
	// rule must not contain a [Check]. Default: nil, no one.
	Deleted Rule
	// Fields has the rules of single fields, by JSON name. Default: none.
	Fields map[string]Field
}

// Only returns rules with one rule for everything: Read, Create, Update and Delete.
//
//	Access: access.Only(access.Equal("owner", func(u *User) int64 { return u.ID }))
func Only(rule Rule) Rules { return Rules{Read: rule, Create: rule, Update: rule, Delete: rule} }

// Field has the access rules of one field. If Read is nil, every caller who can see the record sees the field. If Write
// is nil, every caller who can change the record can set the field.
type Field struct {
	// Read decides who can see the field. For other callers the field is absent from responses and sorts as null.
	// Filters and searches by it do not match the record. The rule must not contain a [Check]. Default: nil, every
	// caller who can see the record.
	Read Rule
	// Write decides who can set the field. It is checked on the record before the change, or on the new record. For
	// other callers a request that sets the field returns 403, unless it sends the current value and they can see it.
	// If the body of a replacing Put omits a field that the caller cannot write or see, the field keeps its value.
	// Default: nil, every caller who can change the record.
	Write Rule
}

// word is a rule without parameters.
type word string

const (
	// Public holds for every caller, including anonymous ones.
	Public = word("public")
	// Authenticated holds for every principal of any type.
	Authenticated = word("authenticated")
)

// Describe describes the rule.
func (w word) Describe() Description { return Description{Kind: string(w), Name: string(w)} }

func (word) sealed() {}

// rule is a rule with a description.
type rule struct{ description Description }

// Describe describes the rule.
func (r rule) Describe() Description { return r.description }

func (rule) sealed() {}

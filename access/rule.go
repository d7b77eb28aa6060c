package access

import (
	"context"
	"reflect"

	"github.com/trove-api/trove/store"
)

// Rule says who may do something, or see something. It is data: the functions of this package
// make the only ones, and [Rule.Describe] takes them apart. Nil is no rule.
//
// A rule that asks the principal is for one type of principals. It does not hold for one of
// another type, nor for nobody, and a nil pointer is nobody.
type Rule interface {
	// Describe returns what the rule is made of.
	Describe() Description

	sealed()
}

// Description is what a [Rule] is made of, for programs that show rules. Which of its fields
// are set is a matter of Kind; all others are zero.
type Description struct {
	// Kind is the function or the constant that makes such a rule, in lower case: "public",
	// "authenticated", "if", "equal", "where", "scope", "any", "all", "not", "check" or
	// "filter".
	Kind string
	// Name is what documents, logs and tests call the rule: the name that it was given, or one
	// that is made of its parts, as "owner or admin".
	Name string
	// Named is true of a rule that has its name from [Named].
	Named bool
	// Parts are the rules of "any" and "all", and the one of "not". Nil entries are mistakes.
	Parts []Rule
	// Member is the JSON name of the member that "equal" and "where" are about.
	Member string
	// Values are what "where" compares the member with.
	Values []any
	// Scope is the scope of "scope".
	Scope string
	// Principal is the type of principals that "if", "equal" and "filter" ask.
	Principal reflect.Type
	// Value is the type of the value of "equal".
	Value reflect.Type
	// Record is the type of the struct that "check" looks at.
	Record reflect.Type

	// Holds is the function of "if". Its principal is of the type Principal.
	Holds func(principal any) bool
	// Of is the function of "equal". Its principal is of the type Principal, its result of the
	// type Value.
	Of func(principal any) any
	// Check is the function of "check". Its record is a pointer to a Record.
	Check func(ctx context.Context, record any) (bool, error)
	// Conditions is the function of "filter". Its principal is of the type Principal.
	Conditions func(ctx context.Context, principal any) ([]store.Condition, error)
}

// Rules of a resource, each for a verb. Nil is no rule. An API without schemes and rules is open to
// everyone; with one scheme or one rule anywhere, an operation without a rule is an error of resource.New.
type Rules struct {
	// Read says who may see a record, in whatever way. Where it does not hold the record is
	// missing: 404, and absent from collections and their totals. It has no [Check] in it. It also
	// guards a Get or GetCollection with a Handler. If such a handler has no record and returns no
	// store.Page, the rule must not depend on a record: New returns an error, and the operation needs its own Access.
	Read Rule
	// Create says who may do a Post, and is asked of the new record, too. It also guards a Handler of
	// Post, Put, Patch or Delete without a record, and must then not depend on one.
	Create Rule
	// Update says who may do a Put, a Patch or a Handler that has a record: of the record as it
	// is, and as it becomes.
	Update Rule
	// Delete says who may do a Delete.
	Delete Rule
	// Members are rules of single members, by JSON name.
	Members map[string]Member
}

// Member has the rules of one member of a record. Nil is no rule of its own: whoever may see the
// record sees the member, and whoever may change the record changes it.
type Member struct {
	// Read says who may see the member. For all others it is absent from answers, no filter and
	// no search finds a record by it, and in an order it counts as null. It has no [Check] in it.
	Read Rule
	// Write says who may set the member: of the record before the change, of a new one as it
	// becomes. For all others a request with the member is refused, 403, unless it has the value
	// that is there already and that they may see. A replacing Put keeps what its sender may not
	// write or not see, where the body leaves it out.
	Write Rule
}

// word is a rule that is a word.
type word string

const (
	// Public holds for everybody, nobody among them.
	Public = word("public")
	// Authenticated holds for every principal, of whatever type.
	Authenticated = word("authenticated")
)

// Describe returns what the rule is made of.
func (w word) Describe() Description { return Description{Kind: string(w), Name: string(w)} }

func (word) sealed() {}

// rule is a rule that is made of a description.
type rule struct{ description Description }

// Describe returns what the rule is made of.
func (r rule) Describe() Description { return r.description }

func (rule) sealed() {}

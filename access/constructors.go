package access

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/trove-api/trove/store"
)

// If returns a rule that depends on the principal alone. It does not hold for principals of another type than P. The
// function must be fast, safe for concurrent use and free of side effects. Use [Check] or [Filter] for rules that need
// other data.
func If[P any](name string, holds func(principal P) bool) Rule {
	d := Description{Kind: "if", Name: name, Principal: reflect.TypeFor[P]()}
	if holds != nil {
		d.Holds = func(principal any) bool { return holds(principal.(P)) }
	}
	return rule{d}
}

// Equal returns a rule that holds if a field of the record equals the value that the function returns for the
// principal. The field is given by JSON name. The field has type V or *V; null equals nothing. The rule has the name of
// the field, such as "owner". A name such as "item.location" is the field of the record that a reference leads to; see
// [Through].
func Equal[P, V any](field string, of func(principal P) V) Rule {
	d := Description{
		Kind: "equal", Name: field, Field: field, Principal: reflect.TypeFor[P](), Value: reflect.TypeFor[V](),
	}
	if of != nil {
		d.Of = func(principal any) any { return of(principal.(P)) }
	}
	return rule{d}
}

// Where returns a rule that depends on the record alone. It holds if a field, given by JSON name, has one of the
// values. Values have the type of the field, without a pointer; null equals nothing. A name such as "item.status" is the
// field of the record that a reference leads to; see [Through].
func Where(field string, values ...any) Rule {
	return rule{Description{Kind: "where", Name: nameOfWhere(field, values), Field: field, Values: slices.Clone(values)}}
}

// nameOfWhere returns the name of a Where: "isPublished", "status is draft or sent".
func nameOfWhere(field string, values []any) string {
	if len(values) == 1 && values[0] == any(true) {
		return field
	}
	texts := make([]string, len(values))
	for i, value := range values {
		texts[i] = fmt.Sprint(value)
	}
	return field + " is " + strings.Join(texts, " or ")
}

// Through returns a rule that holds if the record in a reference exists and another rule holds for it, for a list of
// references if that is so for one of them. The reference is given by JSON name. So with
//
//	access.Through("project", belongs)
//
// the members of a project may see or change its tasks. Equal("project.owner", f) and Where("project.status", "open") are
// short for a Through of one field.
//
// The rule looks at all records, also at those that are hidden from the caller. It may contain every rule but [Check] and [Filter],
// and lead through three references, one after the other. When a change is checked, the record itself counts as it will
// be, so that no caller can take a record into a project of theirs against the rule. If a part depends on the principal, the
// rule must hold without the change, too: callers do not get permissions by a record that they are about to save. Not of
// a Through holds if no such record exists; if a part depends on the principal, it never holds for others, as [Not]
// describes.
//
// The stores of both resources must be able to query one another, as those in memory and those in one database are
// (store.Joiner). Unknown names and stores that cannot are errors of resource.New. The rule is named by its part:
// "owner or admin of the project", "project.owner".
func Through(reference string, part Rule) Rule {
	return rule{Description{Kind: "through", Name: nameOfThrough(reference, part), Field: reference, Parts: []Rule{part}}}
}

// nameOfThrough returns the name of a Through: a path if it is about a field, "item.location", else "owner of the item".
func nameOfThrough(reference string, part Rule) string {
	field := part
	for field != nil && field.Describe().Kind == "through" && !field.Describe().Named {
		field = field.Describe().Parts[0]
	}
	if field == nil {
		return reference + ".nil"
	}
	switch d := field.Describe(); {
	case d.Kind == "public" && part.Describe().Kind == "public":
		return reference
	case d.Kind == "public", (d.Kind == "where" || d.Kind == "equal") && !d.Named:
		return reference + "." + part.Describe().Name
	}
	return asWord(part) + " of the " + reference
}

// Related returns a rule that holds if a record of another resource references this record, and another rule holds for
// that one. The reference is given as the name of the resource, a dot and the JSON name of the field, as in Inverse. So
//
//	belongs := access.Related("Membership.project", access.Equal("user", func(u *User) int64 { return u.ID }))
//
// holds for a project if the caller has a membership in it. Everything else is as for [Through]. The rule is named
// "related Membership with user"; [Named] gives it a name for people.
func Related(reference string, part Rule) Rule {
	resource, _, _ := strings.Cut(reference, ".")
	name := "related " + resource
	if part == nil || part.Describe().Kind != string(Public) {
		name += " with " + asWord(part)
	}
	return rule{Description{Kind: "related", Name: name, Field: reference, Parts: []Rule{part}}}
}

// asWord returns the name of a rule as a part of a sentence, in parentheses unless it is the name of one rule.
func asWord(part Rule) string {
	if part == nil {
		return "nil"
	}
	if d := part.Describe(); (d.Kind == "not" || d.Kind == "related" || d.Kind == "through") && !d.Named {
		return "(" + d.Name + ")"
	}
	return within(part)
}

// Scope returns a rule that holds if the credentials grant a scope (RFC 6749, section 3.3). A principal that middleware
// has set with operation.WithPrincipal has no scopes.
func Scope(scope string) Rule {
	return rule{Description{Kind: "scope", Name: "scope " + scope, Scope: scope}}
}

// Any returns a rule that holds if one of its parts holds. Its name is composed of theirs: "owner or admin".
func Any(rules ...Rule) Rule { return compound("any", " or ", rules) }

// All returns a rule that holds if all of its parts hold. Its name is composed of theirs: "owner and admin".
func All(rules ...Rule) Rule { return compound("all", " and ", rules) }

// Named returns the rule with another name, for documents, logs and tools:
//
//	access.Named("owner or admin", access.All(access.Where("deleted", false), access.Any(owner, admin)))
func Named(name string, part Rule) Rule {
	d := Description{Kind: "all", Parts: []Rule{part}}
	if part != nil {
		d = part.Describe()
	}
	d.Name, d.Named = name, true
	return rule{d}
}

func compound(kind, word string, parts []Rule) Rule {
	names := make([]string, len(parts))
	for i, part := range parts {
		names[i] = within(part)
	}
	name := strings.Join(names, word)
	if len(parts) == 1 && parts[0] != nil {
		name = parts[0].Describe().Name
	}
	return rule{Description{Kind: kind, Name: name, Parts: slices.Clone(parts)}}
}

// within returns the name of a rule as a part of another rule, in parentheses if necessary.
func within(part Rule) string {
	if part == nil {
		return "nil"
	}
	d := part.Describe()
	if len(d.Parts) > 1 && !d.Named {
		return "(" + d.Name + ")"
	}
	return d.Name
}

// Not returns a rule that holds if another rule does not. A rule that depends on the principal, negated or not, never
// holds for anonymous callers or principals of another type. For example, the Not of an [If] for users does not hold
// for machines. The negated rule must not contain a [Filter].
func Not(part Rule) Rule {
	return rule{Description{Kind: "not", Name: "not " + within(part), Parts: []Rule{part}}}
}

// Check returns a rule that a function decides, for conditions that the other rules cannot express. The function gets
// the request and the principal from operation.RequestFrom. It runs in the transaction of a change, which the store may
// run again. An error ends the request like an error of a hook. Check is not allowed in read rules, because a function
// cannot be a condition of a query.
func Check[T any](name string, check func(ctx context.Context, record *T) (bool, error)) Rule {
	d := Description{Kind: "check", Name: name, Record: reflect.TypeFor[T]()}
	if check != nil {
		d.Check = func(ctx context.Context, record any) (bool, error) { return check(ctx, record.(*T)) }
	}
	return rule{d}
}

// Filter returns a rule whose function returns conditions for each request. Use it for tenants and for external policy
// engines. It holds for records that match all conditions; without conditions it holds for every record. For callers who
// may see nothing, return a condition that matches no record. A condition can go through a reference (store.Condition's
// Through): it looks at all records of the other resource, also those that are hidden from the caller. The stores must
// support that, as for the word through; otherwise, and for names that do not exist, the request is a 500 and the log
// has the reason. An error ends the request like an error of a hook.
func Filter[P any](name string, conditions func(ctx context.Context, principal P) ([]store.Condition, error)) Rule {
	d := Description{Kind: "filter", Name: name, Principal: reflect.TypeFor[P]()}
	if conditions != nil {
		d.Conditions = func(ctx context.Context, principal any) ([]store.Condition, error) {
			return conditions(ctx, principal.(P))
		}
	}
	return rule{d}
}

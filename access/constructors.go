package access

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/trove-api/trove/store"
)

// If is a rule that asks the principal alone: the function is called for principals of the type
// P. It is quick, safe for use by many goroutines, and has no effects; one that must ask
// elsewhere is a [Check] or a [Filter].
func If[P any](name string, holds func(principal P) bool) Rule {
	d := Description{Kind: "if", Name: name, Principal: reflect.TypeFor[P]()}
	if holds != nil {
		d.Holds = func(principal any) bool { return holds(principal.(P)) }
	}
	return rule{d}
}

// Equal is a rule that holds where a member of the record has the value that the function gives
// for the principal. The member has the type V, or is a pointer to one; null equals nothing. Its
// name is that of the member.
func Equal[P, V any](member string, of func(principal P) V) Rule {
	d := Description{
		Kind: "equal", Name: member, Member: member, Principal: reflect.TypeFor[P](), Value: reflect.TypeFor[V](),
	}
	if of != nil {
		d.Of = func(principal any) any { return of(principal.(P)) }
	}
	return rule{d}
}

// Where is a rule of the record alone: it holds where a member has one of the values, which are
// of its type without a pointer. Null equals nothing.
func Where(member string, values ...any) Rule {
	return rule{Description{Kind: "where", Name: nameOfWhere(member, values), Member: member, Values: slices.Clone(values)}}
}

// nameOfWhere says what a member is to be: "isPublished", "status is draft or sent".
func nameOfWhere(member string, values []any) string {
	if len(values) == 1 && values[0] == any(true) {
		return member
	}
	texts := make([]string, len(values))
	for i, value := range values {
		texts[i] = fmt.Sprint(value)
	}
	return member + " is " + strings.Join(texts, " or ")
}

// Scope is a rule that holds where the credentials grant a scope (RFC 6749, section 3.3). A
// principal that a middleware has named has none.
func Scope(scope string) Rule {
	return rule{Description{Kind: "scope", Name: "scope " + scope, Scope: scope}}
}

// Any is a rule that holds where one of its parts does. It is named by them: "owner or admin".
func Any(rules ...Rule) Rule { return compound("any", " or ", rules) }

// All is a rule that holds where all of its parts do. It is named by them: "owner and admin".
func All(rules ...Rule) Rule { return compound("all", " and ", rules) }

// Named gives a rule a name for people, which documents and tools show in place of one made from its parts:
// access.Named("owner or admin", access.All(access.Where("deleted", false), access.Any(owner, admin))). It changes
// nothing else.
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

// within returns the name of a rule that stands in another one.
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

// Not is a rule that holds where another one does not. But what asks the principal is no, within
// it too, for a principal of another type and for nobody: Not of an [If] for users holds for no
// machine. A [Filter] cannot stand in it.
func Not(part Rule) Rule {
	return rule{Description{Kind: "not", Name: "not " + within(part), Parts: []Rule{part}}}
}

// Check is a rule that only code can tell. Within the function, operation.RequestFrom gives the
// request with its principal. It runs in the transaction of a change, which may run again; an
// error ends the request as that of a hook does. It is no rule of what can be read, for it
// cannot be a condition of a collection.
func Check[T any](name string, check func(ctx context.Context, record *T) (bool, error)) Rule {
	d := Description{Kind: "check", Name: name, Record: reflect.TypeFor[T]()}
	if check != nil {
		d.Check = func(ctx context.Context, record any) (bool, error) { return check(ctx, record.(*T)) }
	}
	return rule{d}
}

// Filter is a rule that conditions say, which are made for each request: the seam to engines
// outside of the program, and to tenants. It holds for records that fulfil all conditions; none
// is every record, so that who sees nothing is a condition that no record fulfils. An error ends
// the request as that of a hook does.
func Filter[P any](name string, conditions func(ctx context.Context, principal P) ([]store.Condition, error)) Rule {
	d := Description{Kind: "filter", Name: name, Principal: reflect.TypeFor[P]()}
	if conditions != nil {
		d.Conditions = func(ctx context.Context, principal any) ([]store.Condition, error) {
			return conditions(ctx, principal.(P))
		}
	}
	return rule{d}
}

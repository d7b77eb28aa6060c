package resource

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/internal/check"
	"github.com/trove-api/trove/internal/memory"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/naming"
	"github.com/trove-api/trove/internal/untyped"
	"github.com/trove-api/trove/operation"
)

// Enum declares the values of a named string type as a read-only resource, such as the statuses of an order. The path
// /statuses lists all of them, unpaged and in the order of Values. The path /statuses/{id} returns one. A record has
// the value as its id, its position from 1, and its description if it has one. Fields of the type V can reference it:
// api:"ref=Status". [New] copies the literal.
type Enum[V ~string] struct {
	// ShortName is the resource's name. Default: the name of V.
	ShortName string
	// Description is the resource's description in the OpenAPI document, in Markdown. Default: none.
	Description string
	// Values lists the values, each once and not blank. Required: at least one.
	Values []V
	// Descriptions has the description of each value, which its record shows. A key that is not in Values is an error
	// of [New]. Default: none.
	Descriptions map[V]string
	// Operations are what clients can do: [operation.Get] and [operation.GetCollection], for example with other
	// templates. Default: one of each.
	Operations []operation.Operation
	// Access has the access rules; only Read is used. Default: everyone may read, in an API without schemes and access
	// rules. In any other API a missing rule is an error of [New].
	Access access.Rules
}

// enumerated is a value of an Enum as a record.
type enumerated[V ~string] struct {
	ID          V      `json:"id" api:"id"`
	Position    int    `json:"position" api:"readonly" doc:"Position among all values, from 1."`
	Description string `json:"description,omitempty" api:"readonly" doc:"Description of the value."`
}

func (e Enum[V]) declare() definition {
	name := naming.TypeName(reflect.TypeFor[V]())
	off := false
	of := Of[enumerated[V]]{
		ShortName: e.ShortName, Description: e.Description, Access: e.Access, Operations: e.Operations,
		Pagination: operation.Pagination{Enabled: &off, ClientEnabled: &off}, Order: []string{"position"},
	}
	if of.ShortName == "" {
		of.ShortName = name
	}
	if of.Operations == nil {
		of.Operations = []operation.Operation{operation.Get{}, operation.GetCollection{}}
	}
	values, mistakes := e.values()
	records := make([]any, len(values))
	texts := make([]string, len(values))
	for i, value := range values {
		records[i] = &enumerated[V]{value, i + 1, e.Descriptions[value]}
		texts[i] = string(value)
	}
	d := of.declare()
	stored := memory.New(d.record, records)
	d.store = untyped.Untyped(stored, stored)
	if d.store.Struct != nil && d.store.Struct.ID.Type.Kind != model.String {
		mistakes = append(mistakes, "the type "+name+" marshals itself; use a string type without such methods")
	}
	d.typeName, d.values, d.mistakes = name, texts, mistakes
	return d
}

// values returns the valid values and the errors in the declaration.
func (e Enum[V]) values() (values []V, mistakes []string) {
	fail := func(format string, args ...any) { mistakes = append(mistakes, fmt.Sprintf(format, args...)) }
	name := naming.TypeName(reflect.TypeFor[V]())
	if len(e.Values) == 0 {
		fail("Values is empty; list the values, as in resource.Enum[%s]{Values: []%[1]s{…}}", name)
	}
	if e.ShortName == "" && reflect.TypeFor[V]() == reflect.TypeFor[string]() {
		fail("the type string is not a name for a resource; declare a type such as type Status string, or set ShortName")
	}
	var texts []string
	for i, value := range e.Values {
		switch {
		case slices.Contains(values, value):
			fail("Values[%d] is %q, which is a duplicate", i, value)
			continue
		case !check.IsNotBlank(string(value)), !utf8.ValidString(string(value)), strings.ContainsRune(string(value), 0):
			fail("Values[%d] is %q; values must be UTF-8 and not blank", i, value)
			continue
		}
		values, texts = append(values, value), append(texts, string(value))
	}
	for _, value := range slices.Sorted(maps.Keys(e.Descriptions)) {
		if !slices.Contains(e.Values, value) {
			fail("Descriptions has %q, which is not in Values%s", value, naming.DidYouMean(string(value), texts))
		}
	}
	for i, o := range e.Operations {
		if !isNil(o) && o.Kind() != operation.KindGet && o.Kind() != operation.KindGetCollection {
			fail("operation %d is a %s; allowed: Get and GetCollection, because the values are fixed", i+1, o.Kind())
		}
	}
	return values, mistakes
}

// enumerate adds the values of an Enum to schemas and parameters as a oneof rule. It does nothing for values with
// quotes, which that rule cannot contain.
func enumerate(id *model.Field, values []string) {
	rule := model.Constraint{Name: "oneof", Param: "'" + strings.Join(values, "' '") + "'"}
	if len(values) > 0 && slices.Equal(rule.Words(), values) {
		id.Rules.All = append(slices.Clip(id.Rules.All), rule)
	}
}

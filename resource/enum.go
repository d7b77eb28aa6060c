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
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/naming"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/store/memory"
)

// Enum declares the values of a named string type as a resource that is only read, such as the
// statuses of an order: /statuses lists all, without pages and in the order of Values, and
// /statuses/{id} has one. A record is a value as its id, the place of it, from 1, and its
// description, if it has one. Fields of the type V may refer to it: api:"ref=Status". The literal
// is copied by [New].
type Enum[V ~string] struct {
	// ShortName is the resource's name. Default: the name of V.
	ShortName string
	// Description is the resource's text in the document, in Markdown. Default: none.
	Description string
	// Values are the values that there are, each once, one at least; none is blank.
	Values []V
	// Descriptions say what values mean. Default: none.
	Descriptions map[V]string
	// Operations are what clients can do: a [operation.Get] and a [operation.GetCollection],
	// under templates of their own, for example. Default: one of each.
	Operations []operation.Operation
	// Access says who may do so, by its Read. Default: everyone, in an API without schemes and access
	// rules; in any other a missing rule is an error of [New].
	Access access.Rules
}

// enumerated is a value of an enumeration as a record.
type enumerated[V ~string] struct {
	ID          V      `json:"id" api:"id"`
	Position    int    `json:"position" api:"readonly" doc:"The place among all values, from 1."`
	Description string `json:"description,omitempty" api:"readonly" doc:"What the value means."`
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
	records := make([]enumerated[V], len(values))
	texts := make([]string, len(values))
	for i, value := range values {
		records[i] = enumerated[V]{value, i + 1, e.Descriptions[value]}
		texts[i] = string(value)
	}
	of.Store = memory.New(records...)
	d := of.declare()
	if d.store.Struct != nil && d.store.Struct.ID.Type.Kind != model.String {
		mistakes = append(mistakes, "is of the type "+name+", which marshals itself; allowed: a string type whose values are written as they are")
	}
	d.typeName, d.values, d.mistakes = name, texts, mistakes
	return d
}

// values returns the values that can be records, and what is wrong with the declaration.
func (e Enum[V]) values() (values []V, mistakes []string) {
	fail := func(format string, args ...any) { mistakes = append(mistakes, fmt.Sprintf(format, args...)) }
	name := naming.TypeName(reflect.TypeFor[V]())
	if len(e.Values) == 0 {
		fail("Values is empty; write those that there are, as in resource.Enum[%s]{Values: []%[1]s{…}}", name)
	}
	if e.ShortName == "" && reflect.TypeFor[V]() == reflect.TypeFor[string]() {
		fail("is of the type string, whose name says nothing; declare a type, such as type Status string, or set ShortName")
	}
	var texts []string
	for i, value := range e.Values {
		switch {
		case slices.Contains(values, value):
			fail("Values[%d] is %q once more; write each value once", i, value)
			continue
		case strings.TrimSpace(string(value)) == "", !utf8.ValidString(string(value)), strings.ContainsRune(string(value), 0):
			fail("Values[%d] is %q; allowed: text that is not blank, in UTF-8, as a part of a path", i, value)
			continue
		}
		values, texts = append(values, value), append(texts, string(value))
	}
	for _, value := range slices.Sorted(maps.Keys(e.Descriptions)) {
		if !slices.Contains(e.Values, value) {
			fail("Descriptions has %q, which is none of Values%s", value, naming.DidYouMean(string(value), texts))
		}
	}
	for i, o := range e.Operations {
		if !isNil(o) && o.Kind() != operation.KindGet && o.Kind() != operation.KindGetCollection {
			fail("operation %d is a %s; allowed: Get and GetCollection, for the values are fixed", i+1, o.Kind())
		}
	}
	return values, mistakes
}

// enumerate lets schemas and parameters of an enumeration know its values. Those that the rule
// cannot write, which drops quotes, are said by no schema.
func enumerate(id *model.Field, values []string) {
	rule := model.Constraint{Name: "oneof", Param: "'" + strings.Join(values, "' '") + "'"}
	if len(values) > 0 && slices.Equal(check.Words(rule.Param), values) {
		id.Rules.All = append(slices.Clip(id.Rules.All), rule)
	}
}

package model

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/trove-api/trove/internal/naming"
	"github.com/trove-api/trove/internal/schema"
)

// stater is implemented by types that state their own schema.
type stater interface{ JSONSchema() map[string]any }

// stated reads the schema that a type states about itself, and reports what is wrong with it.
func (c *compiler) stated(t *Type, where Declaration) {
	base := t.Base()
	if !has[stater](base) || t.Kind == Time {
		return
	}
	fail := func(format string, args ...any) {
		c.fail(where, "JSONSchema of the type %s "+format, append([]any{base}, args...)...)
	}
	var keywords map[string]any
	own, _ := reflect.TypeAssert[stater](reflect.New(base))
	cause := panicOf(func() { keywords = own.JSONSchema() })
	name, isScalar := jsonTypes[t.Kind]
	switch {
	case cause != nil:
		fail("panics on its zero value: %v", cause)
		return
	case !isScalar && t.Kind != Custom:
		fail("has no effect, because its fields or elements describe it; allowed: a type that marshals itself, or a named string, number or bool")
		return
	case len(keywords) == 0:
		return
	}
	text := schema.ValueOf(keywords)
	if text == nil {
		fail("has a value without a form in JSON, such as a function or NaN")
		return
	}
	stated, err := schema.Read(text)
	if err != nil {
		fail("is not a schema: %w", err)
		return
	}
	before := len(c.errs)
	checkKeywords(stated, name, fail)
	for _, problem := range stated.Contradictions() {
		fail("%s", problem)
	}
	if len(c.errs) > before {
		return
	}
	checkValues(t, stated, fail)
	if isScalar {
		stated.Type = nil // that of the Go type
	}
	t.Stated = stated
}

// panicOf calls a method of the user, and returns the cause of its panic; nil for none. A method may not expect a zero
// value.
func panicOf(call func()) (cause any) {
	defer func() { cause = recover() }()
	call()
	return nil
}

// jsonTypes are the types of JSON of the kinds that a schema can be stated for.
var jsonTypes = map[Kind]string{
	Bool: schema.Boolean, Int: schema.Integer, Uint: schema.Integer, Float: schema.Number, Numeral: schema.Number,
	String: schema.String, Text: schema.String,
}

// checkKeywords reports keywords that do not exist, and those for other types than that of the value; name is "" if it may
// have any type.
func checkKeywords(own *schema.Schema, name string, fail func(string, ...any)) {
	for _, keyword := range own.More {
		if !strings.HasPrefix(keyword.Name, "x-") && keyword.Name != "$comment" && keyword.Name != "deprecated" {
			fail("has the unknown keyword %q%s", keyword.Name, naming.DidYouMean(keyword.Name, schema.Names()))
		}
	}
	if name == "" {
		return
	}
	is := func(other string) bool { return other == name || other == schema.Number && name == schema.Integer }
	if own.Type != nil && !slices.ContainsFunc(own.Type, is) {
		fail("has the type %q, but its JSON has the type %q", strings.Join(own.Type, ", "), name)
	}
	for keyword := range own.Keywords("") {
		if of := schema.TypeOf(keyword); of != "" && !is(of) {
			fail("has the keyword %q, which is for the type %q; its JSON has the type %q", keyword, of, name)
		}
	}
}

// checkValues reports values in a schema that break it, or that the type does not read.
func checkValues(t *Type, own *schema.Schema, fail func(string, ...any)) {
	list := slices.Concat(own.Examples, own.Enum)
	if own.Default != nil {
		fail("has a default; use the tag default of the field")
	}
	if own.Const != nil {
		list = append(list, own.Const)
	}
	for _, text := range list {
		value := schema.Go(text)
		said, isText := value.(string)
		broken := !own.AllowsAll(value)
		if name, isScalar := jsonTypes[t.Kind]; isScalar && !schema.Typed(name).Allows(value) {
			broken = true
		}
		if t.Kind == Text && isText && !broken {
			broken = UnmarshalText(reflect.New(t.Base()).Elem(), []byte(said)) != nil
		}
		if broken {
			fail("has the value %s, which is not a valid one", fmt.Sprintf("%.40s", text))
		}
	}
}

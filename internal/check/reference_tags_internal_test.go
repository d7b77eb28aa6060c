package check

import (
	"reflect"
	"strings"

	"github.com/trove-api/trove/internal/model"
)

// rewriter turns parsed rules into tags for validator. The struct's own tags do not work, because validator does
// not know what a body had: required on a number would reject an explicit zero.
type rewriter struct {
	omitEmpty bool // keep omitempty on values that are never null
}

// tags returns the tags of the Go fields of a struct and of embedded structs, by type and Go name. Fields that are
// not JSON fields are not validated.
func (w rewriter) tags(s *model.Struct) map[reflect.Type]map[string]string {
	all := map[reflect.Type]map[string]string{}
	skipAll(all, s.Go)
	for _, f := range s.Fields {
		owner := s.Go
		for _, i := range f.Index[:len(f.Index)-1] {
			embedded := owner.Field(i)
			all[owner][embedded.Name] = ""
			owner = embedded.Type
			skipAll(all, owner)
		}
		all[owner][owner.Field(f.Index[len(f.Index)-1]).Name] = w.field(f)
	}
	return all
}

// skipAll excludes every field of a struct from validation. Tags for other programs must not be read as rules, and
// validator reads those of any field without an entry here.
func skipAll(all map[reflect.Type]map[string]string, t reflect.Type) {
	if all[t] != nil {
		return
	}
	all[t] = map[string]string{}
	for field := range t.Fields() {
		all[t][field.Name] = "-"
	}
}

// field returns the tag of a field.
func (w rewriter) field(f *model.Field) string {
	if f.Rules.Skip {
		return "-"
	}
	return strings.Join(w.words(f.Rules, f.Type, f.ReadOnly), ",")
}

// words returns the rules of a value as the words of a tag. Conditions come first, because after omitempty they
// would not apply to empty values.
func (w rewriter) words(r model.Rules, t *model.Type, readOnly bool) []string {
	var words, conditions []string
	_, required := r.Find("required")
	switch {
	case r.OmitEmpty && (w.omitEmpty || t.Nullable):
		words = append(words, "omitempty")
	case t.Nullable && !required:
		words = append(words, "omitnil")
	}
	for _, c := range r.All {
		switch {
		case strings.HasPrefix(c.Name, "required_") && !w.omitEmpty && !t.Nullable && (numbers | only(model.Bool)).has(t.Kind):
			// the body has the field, and zero is a value
		case isCondition(c):
			conditions = append(conditions, render(c))
		case c.Name != "required" || judgedByValue(t, readOnly):
			words = append(words, render(c))
		}
	}
	return append(append(conditions, words...), elements(r, t)...)
}

// elements returns the words from dive on. Structs in lists and maps are always validated. An element is never
// absent, so omitempty skips empty ones.
func elements(r model.Rules, t *model.Type) []string {
	if r.Elem == nil && !holdsStructs(t.Elem) {
		return nil
	}
	words := []string{"dive"}
	if r.Keys != nil {
		words = append(words, "keys")
		words = append(words, rewriter{omitEmpty: true}.words(*r.Keys, &model.Type{Kind: model.String}, false)...)
		words = append(words, "endkeys")
	}
	if r.Elem == nil {
		r.Elem = &model.Rules{}
	}
	if t.Elem == nil {
		return words
	}
	isTold := t.Elem.Kind == model.Any // the decoder reports null only for fields
	return append(words, rewriter{omitEmpty: true}.words(*r.Elem, t.Elem, isTold)...)
}

// holdsStructs reports whether a type is structs in any number of lists and maps.
func holdsStructs(t *model.Type) bool {
	for t != nil && t.Elem != nil {
		t = t.Elem
	}
	return t != nil && t.Kind == model.Object
}

// judgedByValue reports whether the value alone decides required: a string must not be empty, a pointer not null.
// For a zero number, boolean, time or struct, the body decides.
func judgedByValue(t *model.Type, readOnly bool) bool {
	switch t.Kind {
	case model.String:
		return true
	case model.List, model.Map, model.Bytes, model.Any:
		return readOnly || t.Nullable
	}
	return t.Nullable
}

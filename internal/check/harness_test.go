package check_test

import (
	"reflect"
	"testing"

	"github.com/trove-api/trove/internal/check"
	"github.com/trove-api/trove/internal/codec"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/validation"
)

// subject is a compiled struct with its codec and checker.
type subject struct {
	t       testing.TB
	codec   *codec.Codec
	checker *check.Checker
	model   *model.Struct
}

func compile[T any](t testing.TB, rules ...validation.Rule) subject {
	t.Helper()
	s, err := tryCompile(reflect.TypeFor[T](), rules...)
	if err != nil {
		t.Fatal(err)
	}
	s.t = t
	return s
}

func tryCompile(of reflect.Type, rules ...validation.Rule) (subject, error) {
	compiler, err := check.New(rules)
	if err != nil {
		return subject{}, err
	}
	typ, err := model.CompileType(of)
	if err != nil {
		return subject{}, err
	}
	records, err := codec.Compile(typ)
	if err != nil {
		return subject{}, err
	}
	checker, err := compiler.Compile(typ.Struct, records)
	return subject{nil, records, checker, typ.Struct}, err
}

// create decodes a body into a new record and checks it.
func (s subject) create(body string) []validation.Violation {
	s.t.Helper()
	record := s.codec.New()
	decoded, err := s.codec.Decoder(s.checker.Views().View(model.Create)).Decode([]byte(body), record)
	if err != nil {
		s.t.Fatal(err)
	}
	found, err := s.checker.Check(s.t.Context(), record, decoded)
	if err != nil {
		s.t.Fatal(err)
	}
	return plain(found)
}

// plain returns the violations as users see them.
func plain(found model.Report) []validation.Violation {
	var list []validation.Violation
	for _, v := range found.Violations {
		list = append(list, v.Violation)
	}
	return list
}

// finds asserts the violations of a body, given as field, message, field, message.
func (s subject) finds(body string, want ...string) {
	s.t.Helper()
	var got []string
	for _, v := range s.create(body) {
		got = append(got, v.Field, v.Message)
	}
	if !reflect.DeepEqual(got, want) {
		s.t.Errorf("%s\n\tgives %q\n\twant  %q", body, got, want)
	}
}

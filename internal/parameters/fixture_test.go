package parameters_test

import (
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/trove-api/trove/internal/check"
	"github.com/trove-api/trove/internal/codec"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/parameters"
	"github.com/trove-api/trove/store"
)

type level string

type lair struct {
	Region string `json:"region" api:"filter=word_start,sort,search"`
	Depth  *int   `json:"depth" api:"filter=exact|range|exists,sort"`
}

type hoard struct {
	ID     int64      `json:"id"`
	Name   string     `json:"name" api:"filter=partial|range,sort,search"`
	Alias  *string    `json:"alias" api:"filter=iexact|exists,sort"`
	Title  string     `json:"title" api:"filter=start"`
	Motto  string     `json:"motto" api:"filter=end"`
	Level  level      `json:"level" validate:"oneof=low 'very high'" api:"filter"`
	Stars  int        `json:"stars" validate:"oneof=1 2 3" api:"filter"`
	Exact  string     `json:"exact" api:"filter"`
	Open   bool       `json:"open" api:"filter,sort"`
	Known  *bool      `json:"known" api:"filter"`
	Small  int8       `json:"small" api:"filter=exact|range,sort"`
	Size   uint16     `json:"size" api:"filter=range"`
	Score  *float64   `json:"score" api:"filter=range|exists,sort"`
	At     time.Time  `json:"at" api:"filter=exact|range,sort"`
	Key    uuid.UUID  `json:"key" api:"filter,sort"`
	Ref    *uuid.UUID `json:"ref" api:"filter=exact|exists,sort"`
	Lair   lair       `json:"lair"`
	Second *lair      `json:"second"`
	Secret string     `json:"secret" api:"writeonly"`
	Plain  string     `json:"plain"`
}

// usual is the default paging of collections.
func usual() parameters.Paging {
	return parameters.Paging{Enabled: true, ItemsPerPage: 30, MaxItemsPerPage: 100, ClientItemsPerPage: true, MaxPage: 1000}
}

func record(t testing.TB) *model.Struct {
	t.Helper()
	s, err := model.Compile(reflect.TypeFor[hoard]())
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// compile makes a set over hoard.
func compile(t testing.TB, change func(*parameters.Options)) *parameters.Set {
	t.Helper()
	paging, s := usual(), record(t)
	o := parameters.Options{Record: s, Paging: &paging, Key: []byte("key"), Scope: "/hoards"}
	if change != nil {
		change(&o)
	}
	set, err := parameters.Compile(o)
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// answerOf returns the view of a record in responses.
func answerOf(o *parameters.Options) *model.View {
	return model.ViewsOf(&model.Type{Go: o.Record.Go, Kind: model.Object, Struct: o.Record}, nil).View(model.Response)
}

// own compiles a struct of parameters of the user's own.
func own[P any](t testing.TB) *parameters.Struct {
	t.Helper()
	typ, err := model.CompileParameters(reflect.TypeFor[P]())
	if err != nil {
		t.Fatal(err)
	}
	c, err := codec.Compile(typ)
	if err != nil {
		t.Fatal(err)
	}
	checks, err := check.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	checker, err := checks.Compile(typ.Struct, c)
	if err != nil {
		t.Fatal(err)
	}
	create := checker.Views().View(model.Create)
	return &parameters.Struct{View: create, Decoder: c.Decoder(create), Codec: c, Checker: checker}
}

func none(string) bool { return false }

// read reads a query that must be valid.
func read(t testing.TB, set *parameters.Set, query string) *parameters.Values {
	t.Helper()
	values, err := set.Read(t.Context(), query, http.Header{}, none, nil)
	if err != nil {
		t.Fatalf("%s: %v", query, explain(err))
	}
	return values
}

// explain lists the messages about invalid parameters.
func explain(err error) string {
	invalid, ok := errors.AsType[*parameters.InvalidError](err)
	if !ok {
		return fmt.Sprint(err)
	}
	var all []string
	for _, refusal := range invalid.Parameters {
		all = append(all, refusal.Message)
	}
	return strings.Join(all, "; ")
}

// conditions writes the conditions of a query as text.
func conditions(query store.Query) string {
	var all []string
	for _, c := range query.Where {
		all = append(all, fmt.Sprintf("%s %s %v", strings.Join(c.Fields, "|"), c.Operator, c.Values))
	}
	return strings.Join(all, ", ")
}

// order writes the order of a query as text.
func order(query store.Query) string {
	var all []string
	for _, o := range query.Order {
		sign := "+"
		if o.Descending {
			sign = "-"
		}
		all = append(all, sign+o.Field)
	}
	return strings.Join(all, " ")
}

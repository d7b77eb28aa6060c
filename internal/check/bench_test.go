package check_test

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/trove-api/trove/internal/alloctest"
	"github.com/trove-api/trove/internal/check"
	"github.com/trove-api/trove/internal/codec"
	"github.com/trove-api/trove/internal/model"
)

// ten is a typical record with ten fields and their rules.
type ten struct {
	Name    string   `json:"name" validate:"required,max=100"`
	Title   string   `json:"title" validate:"notblank,min=2,max=200"`
	Mail    string   `json:"mail" validate:"required,email"`
	Kind    string   `json:"kind" validate:"oneof=book film record"`
	Year    int      `json:"year" validate:"gte=1450,lte=2100"`
	Count   int64    `json:"count" validate:"min=0,max=1000000"`
	Price   *float64 `json:"price" validate:"omitempty,gte=0"`
	Tags    []string `json:"tags" validate:"max=10,dive,min=1,max=20"`
	Code    string   `json:"code" validate:"len=8,alphanum"`
	Comment string   `json:"comment" validate:"omitempty,max=1000"`
}

func goodTen() *ten {
	price := 9.5
	return &ten{
		Name: "Frank Herbert", Title: "Dune", Mail: "frank.herbert@example.com", Kind: "book", Year: 1965, Count: 12,
		Price: &price, Tags: []string{"desert", "spice"}, Code: "ABCD1234", Comment: "As printed on the cover.",
	}
}

func badTen() *ten {
	record := goodTen()
	record.Title, record.Mail, record.Kind, record.Year, record.Code = " ", "nobody", "car", 1200, "ABC"
	return record
}

func BenchmarkCheckValid(b *testing.B) {
	s := compile[ten](b)
	benchmarkCheck(b, s, goodTen(), 0)
}

func BenchmarkCheckFiveBroken(b *testing.B) {
	s := compile[ten](b)
	benchmarkCheck(b, s, badTen(), 5)
}

func BenchmarkCheckExplicitlyEmpty(b *testing.B) {
	s := compile[ten](b)
	record := goodTen()
	record.Count, record.Comment = 0, ""
	var decoded codec.Decoded
	for _, name := range []string{"count", "comment"} {
		var at model.Location
		at.ToField(s.model.Field(name))
		decoded.NoteEmpty(&at)
	}
	benchmarkDecoded(b, s, record, decoded, 0)
}

func benchmarkCheck(b *testing.B, s subject, record any, broken int) {
	b.Helper()
	benchmarkDecoded(b, s, record, codec.Decoded{}, broken)
}

func benchmarkDecoded(b *testing.B, s subject, record any, decoded codec.Decoded, broken int) {
	b.Helper()
	b.ReportAllocs()
	ctx := b.Context()
	for b.Loop() {
		found, err := s.checker.Check(ctx, record, decoded)
		if err != nil || len(found.Violations) != broken {
			b.Fatal(found.Violations, err)
		}
	}
}

func TestValidRecordsTakeNoMemory(t *testing.T) { //nolint:paralleltest // others would allocate meanwhile
	s, record := compile[ten](t), goodTen()
	if n, _ := alloctest.Count(100, func() {
		if found, err := s.checker.Check(t.Context(), record, codec.Decoded{}); err != nil || !found.IsEmpty() {
			t.Error(found.Violations, err)
		}
	}); n > 0 {
		t.Errorf("a valid record takes %v allocations", n)
	}
	bad := badTen()
	if n, _ := alloctest.Count(100, func() {
		if found, err := s.checker.Check(t.Context(), bad, codec.Decoded{}); err != nil || len(found.Violations) != 5 {
			t.Error(found.Violations, err)
		}
	}); n > 8 {
		t.Errorf("a record with five broken rules takes %v allocations", n)
	}
}

// BenchmarkCompile compiles fifty structs, each of its own type, as one API.
func BenchmarkCompile(b *testing.B) { benchmarkCompile(b) }

// BenchmarkCompileBesideAnotherField does the same with a rule that looks at another field in each.
func BenchmarkCompileBesideAnotherField(b *testing.B) {
	benchmarkCompile(b, reflect.StructField{Name: "Again", Type: reflect.TypeFor[string](), Tag: `json:"again" validate:"nefield=Title"`})
}

func benchmarkCompile(b *testing.B, more ...reflect.StructField) {
	b.Helper()
	types := make([]*model.Type, 50)
	codecs := make([]*codec.Codec, len(types))
	for i := range types {
		types[i] = distinctTen(b, i, more...)
		var err error
		if codecs[i], err = codec.Compile(types[i]); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportAllocs()
	for b.Loop() {
		compiler, err := check.New(nil)
		if err != nil {
			b.Fatal(err)
		}
		for i, t := range types {
			if _, err := compiler.Compile(t.Struct, codecs[i]); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(types)), "ns/struct")
}

// distinctTen makes a type like ten, with a name of its own for one more field.
func distinctTen(tb testing.TB, i int, more ...reflect.StructField) *model.Type {
	tb.Helper()
	var fields []reflect.StructField
	for field := range reflect.TypeFor[ten]().Fields() {
		field.Offset, field.Index = 0, nil
		fields = append(fields, field)
	}
	fields[0].Name = fmt.Sprintf("Name%d", i)
	typ, err := model.CompileType(reflect.StructOf(append(fields, more...)))
	if err != nil {
		tb.Fatal(err)
	}
	return typ
}

// crossing has a rule that compares two fields.
type crossing struct {
	ten

	From int `json:"from" validate:"gte=0"`
	To   int `json:"to" validate:"gtefield=From"`
}

func BenchmarkCheckValidBesideAnotherField(b *testing.B) {
	benchmarkCheck(b, compile[crossing](b), &crossing{ten: *goodTen(), From: 1, To: 2}, 0)
}

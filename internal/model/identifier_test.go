package model_test

import (
	"reflect"
	"testing"

	"github.com/google/uuid"

	"github.com/trove-api/trove/internal/model"
)

type keyed[T any] struct {
	Key T `json:"key" api:"id"`
}

type slug string

func identifier[T any](t testing.TB) model.Identifier {
	t.Helper()
	s, err := model.Compile(reflect.TypeFor[keyed[T]]())
	if err != nil {
		t.Fatal(err)
	}
	return s.Identifier()
}

func TestOneTextForEachIdentifier(t *testing.T) {
	t.Parallel()
	id := uuid.MustParse("0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b")
	for _, test := range []struct {
		of   model.Identifier
		text string
		want any // nil if the text is not an identifier
	}{
		{identifier[int64](t), "1", int64(1)},
		{identifier[int64](t), "-9223372036854775808", int64(-1 << 63)},
		{identifier[int64](t), "999999999999999999", int64(999999999999999999)},
		{identifier[int64](t), "9223372036854775807", int64(1<<63 - 1)},
		{identifier[int64](t), "9223372036854775808", nil},
		{identifier[int64](t), "0", int64(0)},
		{identifier[int64](t), "12a", nil},
		{identifier[int64](t), "12:", nil},
		{identifier[int64](t), "a", nil},
		{identifier[int64](t), "01", nil},
		{identifier[int64](t), "+1", nil},
		{identifier[int64](t), "-0", nil},
		{identifier[int64](t), " 1", nil},
		{identifier[int64](t), "1_0", nil},
		{identifier[int64](t), "", nil},
		{identifier[int32](t), "2147483647", int32(1<<31 - 1)},
		{identifier[int32](t), "2147483648", nil},
		{identifier[uint32](t), "4294967295", uint32(1<<32 - 1)},
		{identifier[uint32](t), "-1", nil},
		{identifier[uint64](t), "9223372036854775807", uint64(1<<63 - 1)},
		{identifier[uint64](t), "9223372036854775808", nil},
		{identifier[string](t), "a b/é", "a b/é"},
		{identifier[string](t), "a\x00", nil},
		{identifier[string](t), "\xff", nil},
		{identifier[slug](t), "x", slug("x")},
		{identifier[uuid.UUID](t), id.String(), id},
		{identifier[uuid.UUID](t), "0190A1B2-C3D4-7E5F-8A9B-0C1D2E3F4A5B", nil},
		{identifier[uuid.UUID](t), "urn:uuid:" + id.String(), nil},
	} {
		got, ok := test.of.Parse(test.text)
		if ok != (test.want != nil) || ok && got != test.want {
			t.Errorf("Parse(%q) = %v, %v; want %v", test.text, got, ok, test.want)
		}
	}
}

func TestAnIdentifierIsReadAndSetInARecord(t *testing.T) {
	t.Parallel()
	id := identifier[slug](t)
	record := &keyed[slug]{Key: "a"}
	if got := id.Of(record); got != slug("a") {
		t.Errorf("Of = %v", got)
	}
	id.Set(record, slug("b"))
	if record.Key != "b" || id.Name() != "key" || id.Generated() || !identifier[int64](t).Generated() {
		t.Errorf("the record is %+v", record)
	}
}

func FuzzIdentifiersComeBack(f *testing.F) {
	f.Add("a", int64(1), []byte("0123456789abcdef"))
	f.Add("é/%", int64(-1<<63), make([]byte, 16))
	text, number, unique := identifier[string](f), identifier[int64](f), identifier[uuid.UUID](f)
	f.Fuzz(func(t *testing.T, s string, n int64, b []byte) {
		comesBack(t, number, n)
		if id, ok := text.Parse(s); ok && id != s {
			t.Errorf("%q is read as %q", s, id)
		}
		if id, err := uuid.FromBytes(b); err == nil {
			comesBack(t, unique, id)
		}
	})
}

func comesBack(t *testing.T, of model.Identifier, id any) {
	t.Helper()
	text, err := of.Text(id)
	if err != nil {
		t.Fatal(err)
	}
	if back, ok := of.Parse(text); !ok || back != id {
		t.Errorf("%v comes back as %v, %v", id, back, ok)
	}
}

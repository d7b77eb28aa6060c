package storetest

import (
	"encoding/json"
	"math"
	"reflect"
	"strconv"
	"time"

	"github.com/google/uuid"
)

// values returns a record whose members have values at the ends of their types, or none.
func (g *generator) values(n int) *Values {
	made := &Values{}
	g.fill(reflect.ValueOf(made).Elem(), 0)
	made.ID, made.Label, made.Token = 0, g.text()+strconv.Itoa(n), maybe(g, func() string { return "token " + strconv.Itoa(n) })
	made.Price = maybe(g, func() Decimal { return Decimal(strconv.Itoa(n+1) + one(g, "", ".0", ".50")) })
	return made
}

// fill sets a value that is zero.
func (g *generator) fill(v reflect.Value, depth int) {
	if value := g.end(v.Type()); value != nil {
		v.Set(reflect.ValueOf(value))
		return
	}
	size := g.IntN(3) // of lists and maps; the first is nil half of the time
	switch v.Kind() {
	case reflect.Pointer:
		if depth < 2 && g.coin() {
			v.Set(reflect.New(v.Type().Elem()))
			g.fill(v.Elem(), depth+1)
		}
	case reflect.Struct:
		for _, field := range v.Fields() {
			g.fill(field, depth+1)
		}
	case reflect.Array:
		for i := range v.Len() {
			g.fill(v.Index(i), depth+1)
		}
	case reflect.Slice:
		if size == 0 && g.coin() || depth > 3 {
			return
		}
		v.Set(reflect.MakeSlice(v.Type(), size, size))
		for i := range size {
			g.fill(v.Index(i), depth+1)
		}
	case reflect.Map:
		if size == 0 && g.coin() || depth > 3 {
			return
		}
		v.Set(reflect.MakeMap(v.Type()))
		for range size {
			entry := reflect.New(v.Type().Elem()).Elem()
			g.fill(entry, depth+1)
			v.SetMapIndex(reflect.ValueOf(g.text()), entry)
		}
	case reflect.Interface:
		if value := one[any](g, nil, "", "x", 0.5, 1e300, true, []any{}, map[string]any{}, []any{nil, "", map[string]any{"a": nil}}); value != nil {
			v.Set(reflect.ValueOf(value))
		}
	}
}

// end returns a value at one of the ends of a type, nil for a type that consists of others.
func (g *generator) end(t reflect.Type) any {
	switch t {
	case reflect.TypeFor[time.Time]():
		return g.instant()
	case reflect.TypeFor[Decimal]():
		return g.decimal()
	case reflect.TypeFor[uuid.UUID]():
		return one(g, uuid.UUID{}, uuid.Max, g.uuid())
	case reflect.TypeFor[json.RawMessage]():
		return one(g, json.RawMessage(nil), json.RawMessage("null"), json.RawMessage(`[1e131071,-0,1.0]`), json.RawMessage(`{"b":1,"a":[]}`), json.RawMessage(`""`))
	}
	switch t.Kind() {
	case reflect.String:
		return one(g, "", g.text(), "<&>\u2028\"\\\x7f")
	case reflect.Int:
		return one(g, 0, math.MinInt64, math.MaxInt64)
	case reflect.Int8:
		return one(g, int8(0), math.MinInt8, math.MaxInt8)
	case reflect.Int64:
		return one(g, int64(0), math.MinInt64, math.MaxInt64, 1<<53+1)
	case reflect.Uint8:
		return one(g, uint8(0), 0xff, '"')
	case reflect.Uint64:
		return one(g, uint64(0), math.MaxInt64, 1<<53+1)
	case reflect.Float32:
		return one(g, float32(0), math.MaxFloat32, -math.SmallestNonzeroFloat32, 0.1, float32(math.Copysign(0, -1)))
	case reflect.Float64:
		return one(g, 0.0, math.MaxFloat64, -math.SmallestNonzeroFloat64, 0.1, math.Copysign(0, -1))
	}
	return nil
}

// instant returns a time at one of the ends of the calendar, or one that is not kept whole.
func (g *generator) instant() time.Time {
	east, west := time.FixedZone("", 23*60*60+59*60), time.FixedZone("", -23*60*60-59*60)
	return one(g,
		time.Time{},
		time.Time{}.In(east),
		time.Date(0, 1, 1, 0, 0, 0, 0, time.UTC),
		time.Date(0, 1, 1, 23, 59, 0, 999, east),
		time.Date(0, 1, 1, 0, 0, 0, 0, west),
		time.Date(9999, 12, 31, 23, 59, 59, 999999999, time.UTC),
		time.Date(9999, 12, 31, 23, 59, 59, 999999999, east),
		time.Date(9999, 12, 31, 0, 0, 59, 0, west),
		time.Date(1883, 11, 18, 12, 3, 58, 999999999, west),
		time.Date(2024, 2, 29, 23, 59, 59, 123456789, east),
		time.Now(),
	)
}

package codec_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"net/netip"
	"reflect"
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// generator makes types and values by chance.
type generator struct {
	*rand.Rand

	options []string // of json tags
	others  []string // tags behind them
}

func newGenerator(seed uint64, options ...string) generator {
	return generator{rand.New(rand.NewPCG(seed, 7)), append(options, "", ""), nil}
}

// leaves are the types that JSON writes as one token, and types with methods.
var leaves = []reflect.Type{
	reflect.TypeFor[bool](), reflect.TypeFor[string](), reflect.TypeFor[[]byte](), reflect.TypeFor[time.Time](),
	reflect.TypeFor[int](), reflect.TypeFor[int8](), reflect.TypeFor[int16](), reflect.TypeFor[int32](), reflect.TypeFor[int64](),
	reflect.TypeFor[uint](), reflect.TypeFor[uint8](), reflect.TypeFor[uint64](), reflect.TypeFor[float32](), reflect.TypeFor[float64](),
	reflect.TypeFor[any](), reflect.TypeFor[netip.Addr](), reflect.TypeFor[colour](), reflect.TypeFor[level](),
	reflect.TypeFor[jsontext.Value](), reflect.TypeFor[node](), reflect.TypeFor[time.Month](),
}

func (g generator) typ(depth int) reflect.Type {
	if depth == 0 {
		return pick(g, leaves)
	}
	switch g.IntN(8) {
	case 0:
		if t := g.typ(depth - 1); t.Kind() != reflect.Pointer {
			return reflect.PointerTo(t)
		}
	case 1:
		if t := g.typ(depth - 1); t.Kind() != reflect.Uint8 {
			return reflect.SliceOf(t)
		}
	case 2:
		if t := g.typ(depth - 1); t.Kind() != reflect.Uint8 {
			return reflect.ArrayOf(g.IntN(4), t)
		}
	case 3:
		return reflect.MapOf(reflect.TypeFor[string](), g.typ(depth-1))
	case 4, 5:
		return g.structure(depth)
	}
	return pick(g, leaves)
}

func (g generator) structure(depth int) reflect.Type {
	fields := make([]reflect.StructField, g.IntN(6))
	for i := range fields {
		fields[i] = reflect.StructField{
			Name: fmt.Sprintf("F%d", i), Type: g.typ(depth - 1),
			Tag: reflect.StructTag(fmt.Sprintf(`json:"%s%d%s"`, pick(g, []string{"f", "é", "a-b ", "<&>"}), i, pick(g, g.options))),
		}
		if g.others != nil {
			fields[i].Tag += reflect.StructTag(pick(g, g.others))
		}
	}
	return reflect.StructOf(fields)
}

// fill sets v, which can be set, to a value by chance: often an empty one.
func (g generator) fill(v reflect.Value, depth int) {
	if g.IntN(5) == 0 || depth == 0 && v.Kind() != reflect.String {
		g.finish(v)
		return
	}
	if g.fillOwn(v) {
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		g.fill(v.Elem(), depth-1)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), g.IntN(4), 4))
		g.fillElements(v, depth)
	case reflect.Array:
		g.fillElements(v, depth)
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		for range g.IntN(4) {
			value := reflect.New(v.Type().Elem()).Elem()
			g.fill(value, depth-1)
			v.SetMapIndex(reflect.ValueOf(g.text()), value)
		}
	case reflect.Struct:
		for _, field := range v.Fields() {
			g.fill(field, depth-1)
		}
	default:
		g.fillScalar(v)
	}
	g.finish(v)
}

// finish gives a value of a custom type that is left zero a form in JSON.
func (g generator) finish(v reflect.Value) {
	if raw, ok := reflect.TypeAssert[*jsontext.Value](v.Addr()); ok && *raw == nil {
		*raw = jsontext.Value("null")
	}
}

func (g generator) fillElements(v reflect.Value, depth int) {
	for i := range v.Len() {
		g.fill(v.Index(i), depth-1)
	}
}

// fillOwn sets a value of a type with methods, and reports whether it is one.
func (g generator) fillOwn(v reflect.Value) bool {
	switch own := v.Addr().Interface().(type) {
	case *time.Time:
		zone := time.FixedZone("", (g.IntN(2*24*60-1)-24*60+1)*60)
		*own = time.Unix(g.Int64N(200_000_000_000)-50_000_000_000, pick(g, []int64{0, 1, 500_000_000})).In(zone)
	case *netip.Addr:
		*own = netip.AddrFrom4([4]byte{10, 0, 0, byte(g.IntN(256))})
	case *colour:
		own.name = g.text()
	case *level:
		own.n = 1 + g.IntN(3)
	case *jsontext.Value:
		*own = jsontext.Value(pick(g, []string{`{"b": 1, "a":[ ]}`, "7.0", "null", `"x\u00e9"`, "[]"}))
	case *any:
		*own = pick(g, []any{nil, 1.5, "é<", true, []any{}, map[string]any{"b": nil, "a": []any{1.0, map[string]any{}}}})
	default:
		return false
	}
	return true
}

func (g generator) fillScalar(v reflect.Value) {
	switch {
	case v.Kind() == reflect.Bool:
		v.SetBool(g.IntN(2) == 0)
	case v.Kind() == reflect.String:
		v.SetString(g.text())
	case v.CanInt():
		v.SetInt(int64(g.Uint64()) >> g.IntN(64))
	case v.CanUint():
		v.SetUint(g.Uint64() >> g.IntN(64))
	case v.CanFloat():
		v.SetFloat(g.number(v.Type().Bits()))
	}
}

func (g generator) number(bits int) float64 {
	number := pick(g, []float64{
		0, math.Copysign(0, -1), 1, -1.5, 1e20, 1e21, 123456789e12, 1e-6, 9.99e-7, 1e-7, 1e-10, 5e-324, math.MaxFloat32,
		float64(g.Uint64()), g.NormFloat64(), math.Float64frombits(g.Uint64()), float64(math.Float32frombits(g.Uint32())),
	})
	if math.IsNaN(number) || math.IsInf(number, 0) || bits == 32 && math.IsInf(float64(float32(number)), 0) {
		return 0.1
	}
	return number
}

func (g generator) text() string {
	return pick(g, []string{"", "a", "é", "日本", "😀", "\"\\/\b\f\n\r\t", "\x01\x1f\x7f", "<script>&\u2028\u2029", "null", "a.b[c]", "z" + fmt.Sprint(g.IntN(9))})
}

func pick[T any](g generator, from []T) T { return from[g.IntN(len(from))] }

package check

import (
	"math"
	"net/netip"
	"reflect"
	"time"

	"github.com/trove-api/trove/internal/model"
)

var texts = []string{
	"", "", "a", "b", "ab", "aB", "AB", "a,b", "a b", " ", "\x1c", "é", "aé", "日本", "\xff", "a\n", "1", "-1.5", "+1.", ".5", "DE", "10115", "0x1F", "0x", "x0", "true",
	"someone@example.com", "a.b+c_d-e@mail.example.org", "a@b", "@", "a@@b.c", "a..b@c.de", "a@b-.de", "a@-b.de", "a@b.d3", "a@b.3d", `"a b"@c.de`,
	"é@c.de", "A <a@b.de>", "a@b.de.", "a@b_c.de", "a'b@c.de", "a@b..de", "http://example.com", "https://example.com/a?b=c", "HTTP://a/b", "ftp://a",
	"http://", "http://a b", "https://a/%zz", "file:///", "file:///a", "mailto:a@b.de", "http:///a", "/a", "https://a:80/", "http://[::1]/", "https://.a",
	"https://a-/b", "127.0.0.1", "6ba7b810-9dad-11d1-80b4-00c04fd430c8", "6BA7B810-9DAD-41D1-80B4-00C04FD430C8", "6ba7b810-9dad-31d1-00b4-00c04fd430c8",
	"6ba7b810-9dad-51d1-f0b4-00c04fd430c8", "6ba7b810-9dad-71d1-a0b4-00c04fd430c8", "6ba7b810-9dad-41d1-B0b4-00c04fd430c8",
	"6ba7b810-9dad-41d1-80b4-00c04fd430cg", "6ba7b81009dad-41d1-80b4-00c04fd430c8", "#ff8800", "+4930901820", "1.2.3",
}

// fill gives a value and what is in it random values.
func (g *generator) fill(v reflect.Value, depth int) {
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(g.IntN(2) == 0)
	case reflect.Int, reflect.Int8:
		v.SetInt(pick(g, []int64{0, 0, 1, 2, 3, 4, -1, -3, 100, math.MaxInt8, math.MinInt8}))
	case reflect.Uint16, reflect.Uint64:
		v.SetUint(pick(g, []uint64{0, 0, 1, 2, 3, 100, math.MaxUint16}))
	case reflect.Float32, reflect.Float64:
		v.SetFloat(pick(g, []float64{0, 0, 0.1, 1, 1.5, -1.5, 100, math.MaxFloat32, math.Inf(-1)}))
	case reflect.String:
		v.SetString(pick(g, texts))
	case reflect.Interface:
		if value := pick(g, []any{nil, "", "a", 1.5, []any{}, map[string]any{"a": 1}, named{Label: "a"}}); value != nil {
			v.Set(reflect.ValueOf(value))
		}
	case reflect.Pointer:
		if g.IntN(3) > 0 && depth > 0 {
			v.Set(reflect.New(v.Type().Elem()))
			g.fill(v.Elem(), depth-1)
		}
	case reflect.Struct:
		g.fillStruct(v, depth)
	case reflect.Slice, reflect.Array, reflect.Map:
		g.fillElements(v, depth)
	}
}

func (g *generator) fillStruct(v reflect.Value, depth int) {
	if v.Type() == reflect.TypeFor[netip.Addr]() {
		v.Set(reflect.ValueOf(pick(g, []netip.Addr{{}, netip.IPv6Loopback()})))
		return
	}
	if v.Type() == reflect.TypeFor[time.Time]() {
		v.Set(reflect.ValueOf(pick(g, []time.Time{{}, time.Unix(0, 0), time.Unix(1<<40, 0)})))
		return
	}
	for i := range v.NumField() {
		if depth > 0 && (v.Field(i).CanSet() || v.Type().Field(i).Anonymous) {
			g.fill(v.Field(i), depth-1)
		}
	}
}

// fillElements gives a map one entry at most, for validator takes them in any order.
func (g *generator) fillElements(v reflect.Value, depth int) {
	n := g.IntN(4)
	switch {
	case v.Kind() != reflect.Array && g.IntN(4) == 0 || depth == 0:
		return
	case v.Kind() == reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), n, n))
	case v.Kind() == reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		if n > 0 {
			key, element := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
			g.fill(key, depth)
			g.fill(element, depth-1)
			v.SetMapIndex(key, element)
		}
		return
	}
	for i := range v.Len() {
		g.fill(v.Index(i), depth-1)
	}
}

// emptyIn notes some of the empty fields of a struct, as of a body that has them.
func (g *generator) emptyIn(body *noted, s *model.Struct, v reflect.Value, at *model.Location) {
	for _, f := range s.Fields {
		at.ToField(f)
		field := f.Value(v)
		hasRules := len(f.Rules.All) > 0 || f.Rules.OmitEmpty
		isEmpty := field.IsZero() || (field.Kind() == reflect.Slice || field.Kind() == reflect.Map) && field.Len() == 0
		if hasRules && !f.Type.Nullable && isEmpty && g.IntN(2) == 0 {
			body.empties = append(body.empties, at.Segments())
		}
		switch {
		case f.Type.Kind == model.Object && !f.Type.Nullable:
			g.emptyIn(body, f.Type.Struct, field, at)
		case f.Type.Kind == model.List && f.Type.Elem.Kind == model.Object && !f.Type.Elem.Nullable && !f.Type.Nullable:
			for i := range field.Len() {
				at.ToElement(i)
				g.emptyIn(body, f.Type.Elem.Struct, field.Index(i), at)
				at.Up()
			}
		}
		at.Up()
	}
}

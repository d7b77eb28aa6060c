package resource_test

import (
	"encoding/json"
	"fmt"
	"math/big"
	"math/rand/v2"
	"net/url"
	"reflect"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/format"
	"github.com/trove-api/trove/format/csv"
	"github.com/trove-api/trove/format/hal"
	"github.com/trove-api/trove/format/jsonapi"
	"github.com/trove-api/trove/format/jsonld"
	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/validation"
)

// Types of random declarations that reflection cannot make.
type (
	loop struct {
		Name string `json:"name"`
		Next *loop  `json:"next"`
		List []loop `json:"list" validate:"dive"`
	}
	ping struct {
		Pong *pong           `json:"pong"`
		Map  map[string]pong `json:"map"`
	}
	pong     struct{ Ping *ping }
	ringList []ringList
	ringMap  map[string]ringMap
	status   string
	marked   struct {
		ID    int64  `json:"id" api:"id"`
		Owner int64  `json:"owner" api:"ref=A,filter,expand"`
		Color status `json:"color" api:"filter,unique" validate:"oneof=red green" default:"red"`
	}
	key struct {
		One int64  `json:"one"`
		Two string `json:"two"`
	}
	hiding struct{ secret int }
)

// declarer makes random declarations. A tame one makes few mistakes, so that documents and tools are made, too.
type declarer struct {
	*rand.Rand

	tame bool
}

func one[T any](d declarer, of ...T) T { return of[d.IntN(len(of))] }

func (d declarer) chance(percent int) bool { return d.IntN(100) < percent }

// typ returns a random type, of any kind that Go has.
func (d declarer) typ(depth int) reflect.Type {
	if depth > 0 && d.chance(35) {
		inner := d.typ(depth - 1)
		if d.tame {
			return one(d, reflect.SliceOf(inner), reflect.MapOf(reflect.TypeFor[string](), inner), d.structOf(depth-1, false))
		}
		switch d.IntN(8) {
		case 0, 1:
			return reflect.PointerTo(inner)
		case 2, 3:
			return reflect.SliceOf(inner)
		case 4:
			return reflect.ArrayOf(d.IntN(3), inner)
		case 5:
			return reflect.MapOf(one(d, reflect.TypeFor[string](), reflect.TypeFor[status](), reflect.TypeFor[int](), reflect.TypeFor[uuid.UUID]()), inner)
		default:
			return d.structOf(depth-1, false)
		}
	}
	if d.tame {
		return one(d, reflect.TypeFor[string](), reflect.TypeFor[int64](), reflect.TypeFor[bool](), reflect.TypeFor[float32](), reflect.TypeFor[time.Time](),
			reflect.TypeFor[uuid.UUID](), reflect.TypeFor[loop](), reflect.TypeFor[ping](), reflect.TypeFor[status](), reflect.TypeFor[any](), reflect.TypeFor[json.RawMessage](),
			reflect.TypeFor[key](), reflect.TypeFor[[]byte](), reflect.TypeFor[hiding]())
	}
	return one(d,
		reflect.TypeFor[string](), reflect.TypeFor[string](), reflect.TypeFor[int64](), reflect.TypeFor[int64](), reflect.TypeFor[bool](),
		reflect.TypeFor[int8](), reflect.TypeFor[int](), reflect.TypeFor[uint64](), reflect.TypeFor[uint8](), reflect.TypeFor[float32](),
		reflect.TypeFor[float64](), reflect.TypeFor[complex128](), reflect.TypeFor[uintptr](), reflect.TypeFor[any](), reflect.TypeFor[error](),
		reflect.TypeFor[fmt.Stringer](), reflect.TypeFor[chan int](), reflect.TypeFor[func()](), reflect.TypeFor[[]byte](), reflect.TypeFor[[4]byte](),
		reflect.TypeFor[time.Time](), reflect.TypeFor[time.Duration](), reflect.TypeFor[uuid.UUID](), reflect.TypeFor[json.RawMessage](),
		reflect.TypeFor[big.Int](), reflect.TypeFor[url.URL](), reflect.TypeFor[loop](), reflect.TypeFor[ping](), reflect.TypeFor[ringList](),
		reflect.TypeFor[ringMap](), reflect.TypeFor[status](), reflect.TypeFor[marked](), reflect.TypeFor[key](), reflect.TypeFor[hiding](),
		reflect.TypeFor[struct{}](),
	)
}

// structOf returns a random struct. That of a record usually has an identifier.
func (d declarer) structOf(depth int, isRecord bool) reflect.Type {
	var fields []reflect.StructField
	if isRecord && (d.tame || d.chance(80)) {
		id := one(d, reflect.TypeFor[int64](), reflect.TypeFor[string](), reflect.TypeFor[uuid.UUID](), reflect.TypeFor[uint32]())
		fields = append(fields, reflect.StructField{Name: "ID", Type: id, Tag: one(d, reflect.StructTag(`json:"id" api:"id"`), `json:"id"`, `api:"id,sort"`)})
	}
	for i := range d.IntN(5) {
		fields = append(fields, reflect.StructField{Name: fmt.Sprintf("F%d", i), Type: d.typ(depth), Tag: d.tag(i)})
	}
	return reflect.StructOf(fields)
}

// tag returns the tags of a field, some of them mistaken.
func (d declarer) tag(i int) reflect.StructTag {
	if d.tame {
		return reflect.StructTag(fmt.Sprintf(`json:"f%d" api:"%s" validate:"%s" doc:"What it is."`, i,
			one(d, "readonly", "writeonly", "createonly", "hidden", "filter,sort", "filter", "", "", "", "", "ref=A,expand", "ref=B,filter", "unique"),
			one(d, "", "", "", "", "omitempty", "required", "max=3", "omitempty,min=1", "max=3,dive")))
	}
	var tags []string
	add := func(percent int, key string, values ...string) {
		if d.chance(percent) {
			tags = append(tags, fmt.Sprintf("%s:%q", key, one(d, values...)))
		}
	}
	add(70, "json", fmt.Sprintf("f%d", i), fmt.Sprintf("f%d,omitempty", i), "-", ",omitzero", "same", "a.b", fmt.Sprintf("f%d,bogus", i), "id")
	if d.chance(60) {
		tags = append(tags, fmt.Sprintf("api:%q", d.some(",", 3, "id", "readonly", "writeonly", "createonly", "hidden", "unique", "version", "created", "modified",
			"filter", "filter="+d.some("|", 2, "exact", "iexact", "partial", "start", "end", "word_start", "contains", "range", "exists", "bogus", ""), "sort",
			"search", "header", "ref=A", "ref=B", "ref=B", "ref=", "ref", "expand", "through=id|name|f0", "through=", "ondelete=cascade", "ondelete=null",
			"ondelete=bogus", "", "bogus", "sort=yes")))
	}
	if d.chance(40) {
		tags = append(tags, fmt.Sprintf("validate:%q", d.some(",", 3, "required", "omitempty", "notblank", "max=3", "min=-1", "len=2", "gte=1", "lt=x", "oneof=a b",
			"oneof=", "dive", "dive", "keys", "endkeys", "email", "uuid", "url", "unique", "-", "eq=5", "ne=5", "required_with=F0", "eqfield=F1", "bogus", "max=", "|", "a|b",
			"rgb|rgba", "datetime=2006", "startswith=a", "alphanum", "ip", "json", "excluded_if=F0 1")))
	}
	add(15, "default", "a", "1", "true", "null", "{", `["a"]`, `{"a":1}`, "", "2024-01-01T00:00:00Z", "1e400", "\x00")
	add(15, "example", "a", "1", "false", "null", "[", `[1]`, `{"f0":1}`, "", "9223372036854775808", "\xff")
	add(10, "message", "no", "max: no | min: yes", "unique: taken", "a: b | c", "required:", "| |")
	add(5, "doc", "What it is.", "*", "\x00")
	add(5, "db", "col", "id", `"`, "select")
	if d.chance(3) {
		tags = append(tags, one(d, "json", `json:"`, `api:x`, `apo:"id"`, `json:"a"api:"id"`))
	}
	return reflect.StructTag(strings.Join(tags, " "))
}

// some joins up to n of the texts.
func (d declarer) some(separator string, n int, of ...string) string {
	var some []string
	for range 1 + d.IntN(n) {
		some = append(some, one(d, of...))
	}
	return strings.Join(some, separator)
}

// name returns the name of a field that may exist.
func (d declarer) name() string {
	return one(d, "id", "ID", "f0", "f1", "f2", "F3", "f0.id", "f1.name", "f0.owner", "next.next.name", "bogus", "", ".", "f0.", "-f1")
}

// rule returns a random access rule.
func (d declarer) rule(depth int) access.Rule {
	if depth > 0 && d.chance(30) {
		return one[access.Rule](d, access.Any(d.rule(depth-1), d.rule(depth-1)), access.All(d.rule(depth-1)), access.Not(d.rule(depth-1)), access.Any())
	}
	return one[access.Rule](d, access.Public, access.Authenticated, spec.IsAdmin, spec.MayWrite, nil, access.Where(d.name(), one[any](d, true, 1, "a", nil, int64(1), []int{1}, status("red"))),
		access.Where(d.name()), access.Equal(d.name(), func(c *spec.Captain) int64 { return c.ID }), access.Equal[*spec.Captain, string](d.name(), nil), access.Scope(""))
}

// operations returns random operations.
func (d declarer) operations() []operation.Operation {
	if d.tame && d.chance(70) || d.chance(40) {
		return nil
	}
	var operations []operation.Operation
	for range 1 + d.IntN(4) {
		m := operation.Metadata{
			Name: one(d, "", "", "other", "Bad name"), AllowCreate: d.chance(5), Hidden: d.chance(5), Status: one(d, 0, 0, 0, 204, 500),
			URITemplate:     one(d, "", "", "", "/x/{id}", "/x", "/a/{f0}/x", "/a/{f0}/x/{id}", "/b/{f1}/{id}{._format}", "x", "/{", "/", "/a/{ID}", "/x/{f0};{f1}", "/x/{id}/{f2}"),
			ExtraProperties: one(d, nil, map[string]any{"standard_put": true}, map[string]any{"standard_put": 1}),
		}
		if d.chance(20) {
			m.Access = d.rule(1)
		}
		if d.chance(20) {
			m.View = &operation.View{Name: one(d, "Card", "", "card x"), Fields: []string{d.name(), d.name()}}
		}
		if d.chance(10) {
			m.Expand, m.Order = []string{d.name()}, []string{d.name()}
		}
		operations = append(operations, one[operation.Operation](d, operation.Get(m), operation.GetCollection(m), operation.Post(m), operation.Put(m), operation.Patch(m),
			operation.Delete(m), (*operation.Get)(nil), nil))
	}
	return operations
}

// declaration returns a random declaration.
func (d declarer) declaration(name string) resource.Declaration {
	if d.tame {
		return resource.Reflected{Type: d.structOf(2, true), Of: resource.Of[struct{}]{ShortName: name, Operations: d.operations(), SparseFields: d.chance(30)}}
	}
	of := resource.Of[struct{}]{ShortName: one(d, name, name, name, name, "", "Bad name", "API"), Operations: d.operations(), SparseFields: d.chance(20)}
	if d.chance(15) {
		of.Path = one(d, "/things", "/a/{f0}/things", "things", "/", "/{id}", "/x{._format}", "/a/{f0}/b/{f1}", "/{")
	}
	if d.chance(20) {
		of.Order = []string{d.name(), d.name()}
	}
	if d.chance(20) {
		of.View = &operation.View{Name: one(d, "Card", ""), Fields: []string{d.name(), d.name(), "id"}}
	}
	if d.chance(25) {
		of.Access = access.Rules{Read: d.rule(2), Create: d.rule(2), Update: d.rule(1), Delete: d.rule(1), Fields: map[string]access.Field{d.name(): {Read: d.rule(1), Write: d.rule(1)}}}
	}
	if d.chance(10) {
		of.Inverse = map[string]string{one(d, "others", "f0", "", "a.b"): one(d, "A.f0", "B.f1", "B.f0", "C.x", "B", ".")}
	}
	if d.chance(10) {
		of.Pagination = operation.Pagination{ItemsPerPage: one(d, -1, 1, 1000), MaxItemsPerPage: one(d, 0, 1), ViaCursor: one(d, nil, new(true))}
	}
	if d.chance(10) {
		of.CacheControl, of.Idempotency, of.Timeout = one(d, "public", "bogus=,", "max-age=1"), time.Duration(d.IntN(3)-1), time.Duration(d.IntN(3)-1)
	}
	of.Errors, of.RequirePrecondition = validation.Shape(one(d, 0, 0, 0, 1, 2, 7, -1)), d.chance(10)
	record := d.structOf(2, true)
	if d.chance(5) {
		record = d.typ(2)
	}
	return resource.Reflected{Type: record, Of: of}
}

// config returns a random config.
func (d declarer) config() resource.Config {
	if d.tame {
		return resource.Config{Formats: append(format.Standard(), one(d, jsonld.Format, hal.Format, jsonapi.Format, csv.Format)), References: resource.References(d.IntN(2))}
	}
	config := resource.Config{References: resource.References(one(d, 0, 0, 1, 9)), Prefix: one(d, "", "", "/", "/v1", "bad")}
	for _, f := range []format.Format{jsonld.Format, hal.Format, jsonapi.Format, csv.Format} {
		if d.chance(30) {
			config.Formats = append(config.Formats, f)
		}
	}
	if d.chance(20) {
		config.Authentication = []access.Scheme{spec.Bearer()}
	}
	return config
}

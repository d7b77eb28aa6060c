package storetest

import (
	"encoding/json"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"github.com/trove-api/trove/store"
)

// kept has the same fields at the top level, in an object, behind a pointer, in a list and in a map, with the tags that
// omit them from responses.
type kept struct {
	ID    int64    `json:"id"`
	Label string   `json:"label" api:"unique,sort,filter"`
	Token *string  `json:"token" api:"writeonly,unique"`
	Price *decimal `json:"price" api:"unique"`

	kinds

	Inner kinds            `json:"inner,omitzero"`
	Maybe *kinds           `json:"maybe,omitempty"`
	Many  []kinds          `json:"many,omitzero"`
	Named map[string]kinds `json:"named,omitempty"`
}

// kinds has fields of every type.
type kinds struct {
	Bytes      []byte              `json:"bytes"`
	BytesZero  []byte              `json:"bytesZero,omitzero"`
	BytesEmpty []byte              `json:"bytesEmpty,omitempty"`
	BytesMaybe *[]byte             `json:"bytesMaybe,omitzero"`
	List       []string            `json:"list"`
	ListZero   []string            `json:"listZero,omitzero"`
	ListEmpty  []string            `json:"listEmpty,omitempty"`
	Lists      [][]string          `json:"lists,omitzero"`
	Map        map[string]int      `json:"map"`
	MapZero    map[string]int      `json:"mapZero,omitzero"`
	MapEmpty   map[string][]string `json:"mapEmpty,omitempty"`
	Raw        json.RawMessage     `json:"raw"`
	RawZero    json.RawMessage     `json:"rawZero,omitzero"`
	Any        any                 `json:"any,omitzero"`
	Pair       [2][]string         `json:"pair,omitzero"`
	Tiny       int8                `json:"tiny,omitzero"`
	Wide       int64               `json:"wide,omitempty"`
	Unsigned   uint64              `json:"unsigned,omitzero"`
	Single     float32             `json:"single,omitzero"`
	Double     *float64            `json:"double,omitzero"`
	Text       string              `json:"text,omitempty"`
	TextMaybe  *string             `json:"textMaybe,omitempty"`
	At         time.Time           `json:"at,omitzero"`
	AtMaybe    *time.Time          `json:"atMaybe,omitempty"`
	Key        uuid.UUID           `json:"key,omitzero"`
	Hidden     string              `json:"hidden,omitzero" api:"writeonly"`
}

const keptReason = "The rules of a struct and the tags omitzero and omitempty distinguish nil from empty. Values must be read as they were written, " +
	"except for the zone of a time, fractions of a microsecond and the sign of zero. If a store changes these, it must set them in the record."

func keptRules() []rule[*trial[kept]] {
	return []rule[*trial[kept]]{
		{"an inserted or updated value is read unchanged, with nil and empty distinguished", keptReason, keepsValues},
		{"a value that JSON cannot represent is rejected", "If it were saved, every response with the record would fail.", rejectsValuesThatCannotBeEncoded},
		{
			"the longest indexed value is saved, and a longer one is rejected",
			"A field that is unique, sorted or filtered holds at most 400 characters of any kind, so that every store has the same limit.",
			keepsTheLongest,
		},
		{"a write-only value can be queried", "Clients cannot filter by it, but hooks can, such as to look up a token.", findsWhatIsHidden},
		{
			"values with the same order key are equal to a unique field",
			"1.0 and 1.00 are equal to filters, so the second one must give a store.UniqueError. The record itself may be saved with the other form.",
			func(c *trial[kept]) {
				number := 0
				writesAtRandom(c, func(g *generator) *kept {
					number++
					return &kept{Label: strconv.Itoa(number), Price: maybe(g, g.decimal)}
				})
			},
		},
	}
}

func keepsValues(c *trial[kept]) {
	keepsAll(c, 120, newGenerator(11).values, cmp.AllowUnexported(kept{}))
}

func rejectsValuesThatCannotBeEncoded(c *trial[kept]) {
	early, late := time.Date(-1, 12, 31, 23, 59, 59, 0, time.UTC), time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC)
	east := time.FixedZone("", 23*60*60)
	for name, record := range map[string]*kept{
		"a time before the year 0":                    {kinds: kinds{At: early}},
		"a time after the year 9999":                  {kinds: kinds{AtMaybe: &late}},
		"a time in the year 10000 in UTC only":        {kinds: kinds{At: late.In(time.FixedZone("", -60))}},
		"a time in the year -1 in UTC only":           {kinds: kinds{At: time.Date(0, 1, 1, 0, 0, 0, 0, east)}},
		"a time in an object":                         {Inner: kinds{At: late}},
		"a time in a list":                            {Many: []kinds{{At: late}}},
		"a time in a map":                             {Named: map[string]kinds{"a": {AtMaybe: &late}}},
		"NaN":                                         {kinds: kinds{Double: new(math.NaN())}},
		"infinity":                                    {kinds: kinds{Single: float32(math.Inf(1))}},
		"an unsigned integer above the largest int64": {kinds: kinds{Unsigned: math.MaxInt64 + 1}},
	} {
		if err := c.store.Transact(c.ctx, inserting(record)); err == nil {
			c.Errorf("Insert accepted %s", name)
		}
		sound := &kept{Label: name}
		c.insert(sound)
		record.Label, record.ID = name, sound.ID
		if err := c.store.Transact(c.ctx, overwriting(sound.ID, record, false)); err == nil {
			c.Errorf("Update accepted %s", name)
		}
		c.remove(sound.ID)
	}
	c.holds([]*kept{}...)
}

func keepsTheLongest(c *trial[kept]) {
	g := newGenerator(17)
	longest := &kept{Label: g.long(400)}
	c.insert(longest)
	c.supportsAll = true
	c.matches(oracleOf([]*kept{longest}), counted(where("label", store.Equal, longest.Label)))
	if err := c.store.Transact(c.ctx, inserting(&kept{Label: g.long(401)})); err == nil {
		c.Errorf("Insert accepted 401 characters")
	}
	c.holdsAlike(longest)
}

func findsWhatIsHidden(c *trial[kept]) {
	for i := range 5 {
		c.insert(&kept{Label: strconv.Itoa(i), Token: new("token " + strconv.Itoa(i))})
	}
	c.supportsAll = true
	all := oracleOf(c.list())
	for _, query := range []store.Query{
		where("token", store.Equal, "token 3"),
		where("token", store.Equal, "token"),
		{Where: slices.Concat(on("token", store.Equal, "token 3", "token 9"), on("label", store.Equal, "3")), Limit: 1},
	} {
		c.matches(all, counted(query))
	}
}

// long returns a string of n characters of four bytes each, which does not compress.
func (g *generator) long(n int) string {
	var text strings.Builder
	for range n {
		text.WriteRune(rune(0x10000 + g.IntN(0xf0000)))
	}
	return text.String()
}

// values returns a record whose fields have extreme values, or none.
func (g *generator) values(n int) *kept {
	made := &kept{}
	g.fill(reflect.ValueOf(made).Elem(), 0)
	made.ID, made.Label, made.Token = 0, g.text()+strconv.Itoa(n), maybe(g, func() string { return "token " + strconv.Itoa(n) })
	made.Price = maybe(g, func() decimal { return decimal(strconv.Itoa(n+1) + one(g, "", ".0", ".50")) })
	return made
}

// fill sets a zero value.
func (g *generator) fill(v reflect.Value, depth int) {
	if value := g.end(v.Type()); value != nil {
		v.Set(reflect.ValueOf(value))
		return
	}
	size := g.IntN(3) // of lists and maps; an empty one is nil half of the time
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
		if value := one[any](g, nil, "", "x", json.Number("1.10"), json.Number("9007199254740993"), true, []any{}, map[string]any{}, []any{nil, "", map[string]any{"a": nil}}); value != nil {
			v.Set(reflect.ValueOf(value))
		}
	}
}

// end returns an extreme value of a type, nil for a composite type.
func (g *generator) end(t reflect.Type) any {
	switch t {
	case reflect.TypeFor[time.Time]():
		return g.instant()
	case reflect.TypeFor[decimal]():
		return g.decimal()
	case reflect.TypeFor[uuid.UUID]():
		return one(g, uuid.UUID{}, uuid.Max, g.uuid())
	case reflect.TypeFor[json.RawMessage]():
		return one(g, json.RawMessage(nil), json.RawMessage("null"), json.RawMessage(`[1e131071,-0,1.0]`), json.RawMessage(`{"b":1,"a":[]}`), json.RawMessage(`""`))
	}
	switch t.Kind() {
	case reflect.String:
		return one(g, "", g.text(), "<&>\u2028\"\\\x7f", "line\r\nbreaks\ttabs", "\u200b\ufeff\u007f", "null", `{"json": [1]}`, "\u1e9e \u00df", "日本語 עברית")
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

// instant returns a time at one end of the calendar, or one that stores cannot keep exactly.
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

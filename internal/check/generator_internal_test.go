package check

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"net/netip"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/go-playground/validator/v10"
	"github.com/google/uuid"

	"github.com/trove-api/trove/validation"
)

// generator makes random types and values.
type generator struct{ *rand.Rand }

func pick[T any](g *generator, list []T) T { return list[g.IntN(len(list))] }

type word string

// spoken is a key whose name in validator comes from its method.
type spoken string

func (s spoken) String() string { return "the " + string(s) }

// coded is a struct that is text in JSON, with a rule that only validator sees.
type coded struct {
	Code string `validate:"omitempty,min=2"`
}

func (c coded) MarshalText() ([]byte, error) { return []byte(c.Code), nil }

func (c *coded) UnmarshalText(text []byte) error {
	c.Code = string(text)
	return nil
}

type named struct {
	Label string `json:"label" validate:"omitempty,min=2"`
	Count int    `json:"count" validate:"omitempty,gte=3"`
}

type nested struct {
	named

	Inner named     `json:"inner" validate:"omitempty"`
	Refs  []*named  `json:"refs" validate:"max=2"`
	Again []nested  `json:"again"`
	Other *[]string `json:"other" validate:"omitempty,min=1,dive,required"`
}

type crossed struct {
	named

	From int  `json:"from"`
	To   int  `json:"to" validate:"omitempty,gtefield=From"`
	Code word `json:"code" validate:"omitempty,len=2"`
	Deep struct {
		named

		Given []bool `json:"given" validate:"required_with=Count,dive,eq=true"`
	} `json:"deep"`
}

var scalarTypes = []reflect.Type{
	reflect.TypeFor[bool](), reflect.TypeFor[int](), reflect.TypeFor[int8](), reflect.TypeFor[uint16](), reflect.TypeFor[uint64](),
	reflect.TypeFor[float32](), reflect.TypeFor[float64](), reflect.TypeFor[string](), reflect.TypeFor[string](), reflect.TypeFor[word](),
	reflect.TypeFor[time.Time](), reflect.TypeFor[[]byte](), reflect.TypeFor[uuid.UUID](), reflect.TypeFor[netip.Addr](),
	reflect.TypeFor[any](), reflect.TypeFor[coded](),
}

type booked struct {
	From    time.Time  `json:"from"`
	Until   *time.Time `json:"until" validate:"omitempty,gtfield=From"`
	Kind    string     `json:"kind"`
	Reason  *string    `json:"reason" validate:"required_if=Kind b,omitempty,min=1"`
	Country string     `json:"country"`
	Code    string     `json:"code" validate:"omitempty,postcode_iso3166_alpha2_field=Country"`
	Again   string     `json:"again" validate:"eqcsfield=Code|isdefault"`
	Guests  []struct {
		Name  string `json:"name"`
		Alias string `json:"alias" validate:"nefield=Name,excluded_with=Name"`
		Seen  string `json:"seen" validate:"omitempty,seen=Name"`
	} `json:"guests" validate:"dive,required_with=Kind"`
}

var structTypes = []reflect.Type{reflect.TypeFor[named](), reflect.TypeFor[nested](), reflect.TypeFor[crossed](), reflect.TypeFor[booked]()}

// ownRules are custom rules. One depends on everything that a rule can see.
func ownRules() []validation.Rule {
	return []validation.Rule{
		{Name: "short", Check: func(f validator.FieldLevel) bool { return len(f.Field().String()) < 3 }},
		{Name: "seen", Check: func(f validator.FieldLevel) bool {
			value, kind, nullable, found := f.GetStructFieldOK2()
			other, otherKind, ok := f.GetStructFieldOK() //nolint:staticcheck // users' rules may still call it
			own, ownKind, ownNullable := f.ExtractType(f.Field())
			hash := fnv.New32a()
			_, _ = fmt.Fprint(hash, f.Top().Type(), f.Parent().Type(), f.Field().Type(), f.FieldName(), f.StructFieldName(), f.Param(), f.GetTag(),
				kind, nullable, found, otherKind, ok, other.IsValid(), own.Type(), ownKind, ownNullable)
			if found {
				_, _ = fmt.Fprint(hash, value.Type(), value)
			}
			return hash.Sum32()&1 == 0
		}},
	}
}

// structType makes a struct of a few fields with rules.
func (g *generator) structType(depth int) reflect.Type {
	fields := make([]reflect.StructField, 1+g.IntN(6))
	for i := range fields {
		fields[i].Name, fields[i].Type = fmt.Sprintf("F%d", i), g.fieldType(depth)
	}
	for i := range fields {
		rules := strings.Join(g.rules(fields[i].Type, fields), ",")
		tag := fmt.Sprintf(`json:"f%d" validate:"%s"`, i, rules)
		if g.IntN(8) == 0 {
			tag += ` api:"readonly"`
		}
		if g.IntN(6) == 0 && strings.TrimPrefix(rules, "omitempty") != "" {
			tag += ` message:"Wrong"`
		}
		fields[i].Tag = reflect.StructTag(tag)
	}
	return reflect.StructOf(fields)
}

func (g *generator) fieldType(depth int) reflect.Type {
	switch n := g.IntN(12); {
	case n == 0 && depth > 0:
		return g.structType(depth - 1)
	case n == 1 && depth > 0:
		return reflect.SliceOf(g.fieldType(depth - 1))
	case n == 2 && depth > 0:
		return reflect.ArrayOf(2, g.fieldType(depth-1))
	case n == 3 && depth > 0:
		return reflect.MapOf(pick(g, []reflect.Type{reflect.TypeFor[string](), reflect.TypeFor[word](), reflect.TypeFor[spoken]()}), g.fieldType(depth-1))
	case n == 4:
		return pick(g, structTypes)
	case n == 5:
		return reflect.PointerTo(pick(g, append(structTypes, scalarTypes...)))
	}
	return pick(g, scalarTypes)
}

// rules returns the words of a tag, mostly fitting the type, for a field after the given ones.
func (g *generator) rules(of reflect.Type, fields []reflect.StructField) []string {
	var words []string
	if g.IntN(3) == 0 {
		words = append(words, "omitempty")
	}
	base, isRequired := of, g.IntN(5) == 0
	if isRequired {
		words = append(words, "required")
	}
	if of.Kind() == reflect.Pointer {
		base = of.Elem()
	}
	for range g.IntN(3) {
		if rule := g.rule(base); rule != "" {
			words = append(words, rule)
		}
	}
	switch {
	case g.IntN(4) > 0:
	// Validator would continue with the rules after a condition on null, and may panic there.
	case isRequired && of.Kind() == reflect.Pointer:
	case of.Kind() == reflect.Interface:
		words = []string{g.condition(fields)}
	default:
		for range 1 + g.IntN(2) {
			words = append(words, g.crossRule(base, fields))
		}
	}
	g.Shuffle(len(words), func(i, j int) { words[i], words[j] = words[j], words[i] })
	kind := base.Kind()
	if base == reflect.TypeFor[[]byte]() || base == reflect.TypeFor[uuid.UUID]() {
		return words
	}
	if (kind == reflect.Slice || kind == reflect.Array || kind == reflect.Map) && g.IntN(2) == 0 {
		words = append(words, "dive")
		if kind == reflect.Map && g.IntN(2) == 0 {
			words = append(append(append(words, "keys"), g.rule(reflect.TypeFor[string]())), "endkeys")
		}
		words = append(words, g.rules(base.Elem(), fields)...)
	}
	return words
}

// target picks one of the fields, or a field in it.
func (g *generator) target(fields []reflect.StructField) (path string, of reflect.Type) {
	field := pick(g, fields)
	base := field.Type
	if base.Kind() == reflect.Pointer {
		base = base.Elem()
	}
	if slices.Contains(structTypes[:3], base) && g.IntN(2) == 0 {
		return field.Name + ".Count", reflect.TypeFor[int]()
	}
	return field.Name, field.Type
}

// condition returns a rule that requires or forbids a value.
func (g *generator) condition(fields []reflect.StructField) string {
	rule := pick(g, []string{"required_", "excluded_"}) + pick(g, []string{"if", "unless", "with", "with_all", "without", "without_all"})
	var words []string
	for range 1 + g.IntN(2) {
		path, of := g.target(fields)
		if words = append(words, path); strings.HasSuffix(rule, "_if") || strings.HasSuffix(rule, "_unless") {
			words = append(words, g.wordOf(of))
		}
	}
	return rule + "=" + strings.Join(words, " ")
}

// wordOf returns a word that a tag may compare values of a type with.
func (g *generator) wordOf(of reflect.Type) string {
	switch kind := of.Kind(); {
	case kind == reflect.Pointer && of.Elem().Kind() == reflect.String && g.IntN(2) == 0:
		return "nil"
	case kind == reflect.Pointer:
		return g.wordOf(of.Elem())
	case kind == reflect.Bool:
		return pick(g, []string{"true", "false", "1", "0"})
	case kind == reflect.String:
		return pick(g, []string{"a", "ab", "''", "'a b'", "AB"})
	case kind == reflect.Float32 || kind == reflect.Float64:
		return pick(g, []string{"0", "0.1", "-1.5"})
	case kind == reflect.Int || kind == reflect.Int8:
		return pick(g, []string{"0", "1", "0x2", "-1"})
	}
	return pick(g, []string{"0", "1", "2"})
}

// crossRule returns a rule that looks at other fields, sometimes a custom one.
func (g *generator) crossRule(base reflect.Type, fields []reflect.StructField) string {
	path, of := g.target(fields)
	switch n := g.IntN(8); {
	case n < 3:
		return g.condition(fields)
	case n == 3 && base.Kind() == reflect.String && of.Kind() == reflect.String:
		return pick(g, []string{"fieldcontains=", "fieldexcludes=", "postcode_iso3166_alpha2_field="}) + path
	case n == 4 && base.Kind() == reflect.String:
		return pick(g, []string{"fieldcontains=", "fieldexcludes="}) + path
	case n == 5:
		return pick(g, []string{"isdefault", "short", "isdefault|short"})
	case n == 6:
		return "seen=" + g.seenPath(path, of)
	}
	relations := []string{"eq", "ne", "gt", "gte", "lt", "lte"}
	switch kind := base.Kind(); {
	case kind == reflect.Bool || kind == reflect.String:
		relations = relations[:2]
	case kind > reflect.Float64 && base != reflect.TypeFor[time.Time]():
		return g.condition(fields)
	}
	return pick(g, relations) + pick(g, []string{"field=", "csfield="}) + path
}

// seenPath extends a path from a field as far as validator can follow.
func (g *generator) seenPath(path string, of reflect.Type) string {
	if of.Kind() == reflect.Pointer {
		of = of.Elem()
	}
	switch {
	case g.IntN(2) == 0:
	case of.Kind() == reflect.Struct && slices.Contains(structTypes[:3], of):
		return path + ".Label"
	case of.Kind() == reflect.Slice || of.Kind() == reflect.Array:
		return path + pick(g, []string{"[0]", "[1]", "[7]"})
	case of.Kind() == reflect.Map && of.Key() == reflect.TypeFor[string]():
		return path + "[a]"
	}
	return path
}

var textWords = []string{
	"notblank", "alpha", "alphaspace", "alphanum", "alphanumspace", "alphaunicode", "alphanumunicode", "ascii", "printascii", "multibyte",
	"boolean", "numeric", "number", "hexadecimal", "lowercase", "uppercase", "email", "url", "http_url", "https_url", "uri", "ip", "uuid", "uuid3",
	"uuid4", "uuid5", "uuid7", "uuid_rfc4122", "uuid3_rfc4122", "uuid4_rfc4122", "uuid5_rfc4122", "hexcolor|rgb", "email|uuid", "eq=a0x2Cb|alpha", "required|uuid",
	"iscolor", "e164", "startswith=a", "startsnotwith=a", "endswith=b", "endsnotwith=b", "contains=a0x2Cb", "containsany=xyé", "containsrune=é",
	"excludes=a", "excludesall=a0x2Cb", "excludesrune=é", "eq_ignore_case=aB", "ne_ignore_case=ab", "oneof=a b 'a b'", "oneof='a' b'c d'",
	"noneof=a ab", "oneofci=A B", "noneofci=AB", "min=0x2", "max=3", "len=2", "gt=1", "lt=4", "gte=2", "lte=3", "eq=ab", "ne=ab", "semver",
}

// rule returns a rule that fits a type, or "".
func (g *generator) rule(of reflect.Type) string {
	compare := pick(g, []string{"min", "max", "len", "gt", "gte", "lt", "lte", "eq", "ne"})
	switch kind := of.Kind(); {
	case kind == reflect.String:
		return pick(g, textWords)
	case kind == reflect.Bool:
		return pick(g, []string{"eq=true", "ne=false", "eq=0"})
	case kind >= reflect.Int && kind <= reflect.Int64:
		return pick(g, []string{compare + "=-1", compare + "=1", compare + "=0x2", "oneof=1 2 -3", "noneof=1 01 +2", "port", "latitude"})
	case kind >= reflect.Uint && kind <= reflect.Uint64:
		return pick(g, []string{compare + "=1", compare + "=02", "oneof=1 2", "noneof=1 02", "port"})
	case kind == reflect.Float32 || kind == reflect.Float64:
		return pick(g, []string{compare + "=0.1", compare + "=-1.5", compare + "=1e0", "longitude"})
	case of == reflect.TypeFor[time.Time]():
		return pick(g, []string{"gt", "gte", "lt", "lte"})
	case of == reflect.TypeFor[uuid.UUID]() || kind == reflect.Struct || kind == reflect.Interface:
		return ""
	}
	if of != reflect.TypeFor[[]byte]() && slices.Contains(scalarTypes[:10], of.Elem()) && g.IntN(2) == 0 {
		return "unique"
	}
	return compare + pick(g, []string{"=0", "=1", "=2"})
}

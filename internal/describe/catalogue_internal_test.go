package describe

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	gouuid "github.com/google/uuid"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/trove-api/trove/internal/check"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/schema"
)

// typesOf are the types with which the rules of a kind are tried.
var typesOf = map[model.Kind][]reflect.Type{
	model.Bool:   {reflect.TypeFor[bool]()},
	model.Int:    {reflect.TypeFor[int](), reflect.TypeFor[int8]()},
	model.Uint:   {reflect.TypeFor[uint64](), reflect.TypeFor[uint16]()},
	model.Float:  {reflect.TypeFor[float64](), reflect.TypeFor[float32]()},
	model.String: {reflect.TypeFor[string]()},
	model.Bytes:  {reflect.TypeFor[[]byte]()},
	model.Time:   {reflect.TypeFor[time.Time]()},
	model.Text:   {reflect.TypeFor[gouuid.UUID]()},
	model.Any:    {reflect.TypeFor[any]()},
	model.Object: {reflect.TypeFor[struct {
		Name string `json:"name"`
	}]()},
	model.List:  {reflect.TypeFor[[]string](), reflect.TypeFor[[]int]()},
	model.Array: {reflect.TypeFor[[2]int]()},
	model.Map:   {reflect.TypeFor[map[string]int]()},
}

// wordsOf returns the words of tags by which a rule is tried at a kind of values.
func wordsOf(name string, kind model.Kind, typ reflect.Type) []string {
	var params []string
	switch name {
	case "min", "max", "len", "gte", "lte", "gt", "lt", "eq", "ne":
		switch kind {
		case model.Bool:
			params = []string{"true", "false"}
		case model.Time:
			return []string{name}
		case model.Float:
			params = []string{"2", "0", "-3", "0.1", "16777217", "1e20"}
		case model.Int:
			params = []string{"2", "0", "-3", "100"}
			if typ == reflect.TypeFor[int]() {
				params = append(params, "9007199254740993", "-9223372036854775807")
			}
		case model.Uint:
			params = []string{"2", "0", "100"}
			if typ == reflect.TypeFor[uint64]() {
				params = append(params, "9223372036854775809")
			}
		case model.String:
			params = []string{"2", "0", "70"}
		default:
			params = []string{"2", "0", "3", "7"}
		}
	case "oneof", "noneof":
		params = []string{"3 5"}
	case "oneofci", "noneofci":
		params = []string{"red 'light blue'"}
	case "datetime":
		params = []string{"2006-01-02", time.RFC3339, "15h04", time.RFC1123Z}
	case "postcode_iso3166_alpha2":
		params = []string{"DE", "GB", "US", "CA", "JP"}
	case "spicedb":
		params = []string{"id", "permission", "type"}
	case "required_if", "required_unless", "excluded_if", "excluded_unless":
		params = []string{"Other 1"}
	case "startswith", "startsnotwith", "endswith", "endsnotwith", "contains", "containsany", "excludes", "excludesall", "eq_ignore_case", "ne_ignore_case":
		params = []string{"ab", "V", "Value", "."}
	case "containsrune", "excludesrune":
		params = []string{"@", "a"}
	case "eqfield", "nefield", "gtfield", "gtefield", "ltfield", "ltefield", "notbeforefield", "eqcsfield", "necsfield", "gtcsfield", "gtecsfield", "ltcsfield", "ltecsfield",
		"fieldcontains", "fieldexcludes", "postcode_iso3166_alpha2_field", "required_with", "required_with_all", "required_without", "required_without_all",
		"excluded_with", "excluded_with_all", "excluded_without", "excluded_without_all":
		params = []string{"Other"}
	default:
		return []string{name}
	}
	words := make([]string, len(params))
	for i, param := range params {
		words[i] = name + "=" + param
	}
	return words
}

// trials calls do with a struct for each rule of the catalogue, for some parameters, each type that the rule fits and
// each place a value can have, if New accepts the tag.
func trials(t *testing.T, parameters int, do func(t *testing.T, of *judge, rule, tag string, typ reflect.Type)) {
	t.Helper()
	tried, trial := map[string]int{}, 0
	rules, err := check.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, rule := range rules.Rules() {
		for kind := model.Bool; kind <= model.Map; kind++ {
			for _, typ := range typesOf[kind] {
				words := wordsOf(rule, kind, typ)
				for _, word := range words[:min(parameters, len(words))] {
					for _, stands := range placesOf(typ, word) {
						if trial++; testing.Short() && trial%8 != 0 {
							continue
						}
						record := reflect.StructOf([]reflect.StructField{
							{Name: "ID", Type: reflect.TypeFor[int64](), Tag: `json:"id"`},
							{Name: "Other", Type: typ, Tag: `json:"other"`},
							{Name: "Value", Type: stands.typ, Tag: reflect.StructTag(fmt.Sprintf(`json:"value" validate:%q`, stands.tag))},
						})
						if of, err := tryJudge(record, rules); err == nil {
							tried[rule]++
							do(t, of, rule, stands.tag, stands.typ)
						}
					}
				}
			}
		}
		if tried[rule] == 0 && !testing.Short() {
			t.Errorf("%s is tried nowhere", rule)
		}
	}
}

// standing is the place of a value with a rule.
type standing struct {
	typ reflect.Type
	tag string
}

func placesOf(typ reflect.Type, word string) []standing {
	pointer := reflect.PointerTo(typ)
	places := []standing{
		{typ, word},
		{typ, "omitempty," + word},
		{typ, "required," + word},
		{pointer, word},
		{pointer, "omitempty," + word},
		{pointer, "required," + word},
		{reflect.SliceOf(typ), "min=1,dive," + word},
		{reflect.SliceOf(pointer), "dive," + word},
		{reflect.SliceOf(typ), "min=3,unique,dive," + word},
		{reflect.MapOf(reflect.TypeFor[string](), typ), "min=1,dive," + word},
	}
	if typ.Kind() == reflect.String {
		places = append(places, standing{reflect.MapOf(typ, reflect.TypeFor[int]()), "min=1,dive,keys," + word + ",endkeys"})
	}
	return places
}

// TestEveryRuleTakesTheEmptyValuesThatItsSchemaAllows sends null and empty values to each rule of the catalogue in
// every place. The service rejects all that the schema rejects. If keywords express the whole rule, it rejects nothing
// else.
func TestEveryRuleTakesTheEmptyValuesThatItsSchemaAllows(t *testing.T) {
	t.Parallel()
	values := []string{`null`, `0`, `""`, `false`, `[]`, `{}`, `[null]`, `{"a":null}`, `1`, `"a"`, `"Value"`, `["a"]`, `[1]`, `[0,0]`, `{"name":""}`}
	trials(t, 1, func(t *testing.T, of *judge, _, tag string, typ reflect.Type) {
		t.Helper()
		if testing.Short() && typ.Kind() != reflect.Pointer {
			return
		}
		for _, r := range []role{of.creates(), of.patches()} {
			if r.patches && typ.Kind() != reflect.Pointer {
				continue // it only differs in what must be there
			}
			schema, text := of.describe(t, r)
			exact := isSaidInFull(text)
			for _, value := range values {
				body := `{"other":` + plainest(of) + `,"value":` + value + `}`
				document, err := jsonschema.UnmarshalJSON(strings.NewReader(body))
				if err != nil {
					t.Fatal(err)
				}
				accepted, why := of.accepts(t, body, r)
				switch allowed := schema.Validate(document); {
				case accepted && allowed != nil:
					t.Errorf("%s in the role %s of %s validate:%q is accepted, but the schema says %v", value, r.suffix(), typ, tag, allowed)
				case !accepted && allowed == nil && exact && (!r.patches || !sendsMap(document)):
					t.Errorf("%s in the role %s of %s validate:%q is refused, %s, but the schema allows it", value, r.suffix(), typ, tag, why)
				}
			}
		}
	})
}

// plainest returns a valid value for the other field.
func plainest(of *judge) string {
	text, err := json.Marshal(reflect.New(of.record.Field("other").Type.Go).Elem().Interface())
	if err != nil {
		return "null"
	}
	return string(text)
}

// isSaidInFull reports whether no format of our own is in schemas.
func isSaidInFull(schemas string) bool {
	for _, part := range strings.Split(schemas, `"format":"`)[1:] {
		format, _, _ := strings.Cut(part, `"`)
		if !schema.IsWidth(format) && !slices.Contains([]string{"date", "date-time", "email", "ipv4", "ipv6", "uri", "uri-reference", "uuid"}, format) {
			return false
		}
	}
	return true
}

// TestEveryRuleHasAnExampleThatTheServiceTakes builds an example body for each rule of the catalogue in every place. If
// it finds none, the service must also reject each of some plain values.
func TestEveryRuleHasAnExampleThatTheServiceTakes(t *testing.T) {
	t.Parallel()
	made, parameters := 0, 9
	if testing.Short() {
		parameters = 1
	}
	trials(t, parameters, func(t *testing.T, of *judge, rule, tag string, typ reflect.Type) {
		t.Helper()
		d := of.schemas(t).structure(of.record, of.creates(), "Generated")
		example, ok := d.example(nil)
		object, _ := example.(map[string]any)
		if ok && d.follow(object, of.codec, of.checker) {
			made++
			body, err := json.Marshal(object)
			if err != nil {
				t.Fatal(err)
			}
			if accepted, why := of.accepts(t, string(body), of.creates()); !accepted {
				t.Errorf("the example %s of %s validate:%q is refused: %s", body, typ, tag, why)
			}
		}
		if object["value"] != nil || namesFields(rule) || rule == "isdefault" && strings.Contains(typ.String(), "struct") {
			return // only null and the empty struct do
		}
		for _, value := range plainValues {
			bodies := []string{value, "[" + value + "]", `{"a":` + value + `}`}
			if value[0] == '"' {
				bodies = append(bodies, `{`+value+`:1}`)
			}
			for _, body := range bodies {
				if accepted, _ := of.accepts(t, `{"other":`+plainest(of)+`,"value":`+body+`}`, of.creates()); accepted {
					t.Errorf("the example of %s validate:%q has no value; %s would do", typ, tag, body)
				}
			}
		}
	})
	if made < 2000 && !testing.Short() {
		t.Errorf("only %d examples were made", made)
	}
}

// plainValues are values of JSON that many rules allow.
var plainValues = []string{
	`true`, `false`, `0`, `1`, `-4`, `3`, `2.5`, `100`, `978`, `""`, `"a"`, `"ab"`, `"3"`, `"5"`, `"abc"`, `"zz zz"`, `"1"`, `"YWI="`, `"2000-01-01T00:00:00Z"`, `[]`, `{}`, `[0,1]`,
	`"as long as it takes, and longer"`, `[1,2,3]`, `["a","b","c"]`, `{"a":1,"b":2,"c":3}`, `"01890a5d-ac96-774b-bcce-b302099a8057"`,
}

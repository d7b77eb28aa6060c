package openapi_test

import (
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/google/go-cmp/cmp"

	"github.com/trove-api/trove/resource"
)

// Texts has a text for each rule that is about texts.
type Texts struct {
	ID              int64   `json:"id"`
	Required        string  `json:"required" validate:"required" schema:"minLength: 1"`
	Min             string  `json:"min" validate:"min=2" schema:"minLength: 2"`
	Max             string  `json:"max" validate:"max=5" schema:"maxLength: 5"`
	Len             string  `json:"len" validate:"len=3" schema:"minLength: 3, maxLength: 3"`
	Gt              string  `json:"gt" validate:"gt=2" schema:"minLength: 3"`
	Gte             string  `json:"gte" validate:"gte=2" schema:"minLength: 2"`
	Lt              string  `json:"lt" validate:"lt=5" schema:"maxLength: 4"`
	Lte             string  `json:"lte" validate:"lte=5" schema:"maxLength: 5"`
	Tightest        string  `json:"tightest" validate:"required,min=2,gte=4,max=9,lte=7" schema:"minLength: 4, maxLength: 7"`
	Eq              string  `json:"eq" validate:"eq=on" schema:"const: 'on'"`
	Ne              string  `json:"ne" validate:"ne=off" schema:"not: {const: 'off'}"`
	OneOf           string  `json:"oneOf" validate:"oneof=red 'light blue' 5" schema:"enum: ['red', 'light blue', '5']"`
	NoneOf          string  `json:"noneOf" validate:"noneof=red blue" schema:"not: {enum: ['red', 'blue']}"`
	OneOfCI         string  `json:"oneOfCI" validate:"oneofci=Up to" schema:"pattern: '^([Uu][pP]|[tT][oO])$'"`
	EqIgnoreCase    string  `json:"eqIgnoreCase" validate:"eq_ignore_case=a+b" schema:"pattern: '^[aA]\\\\+[bB]$'"`
	NeIgnoreCase    string  `json:"neIgnoreCase" validate:"ne_ignore_case=ab" schema:"not: {pattern: '^[aA][bB]$'}"`
	Alpha           string  `json:"alpha" validate:"alpha" schema:"pattern: '^[A-Za-z]+$'"`
	AlphaNum        string  `json:"alphaNum" validate:"alphanum" schema:"pattern: '^[0-9A-Za-z]+$'"`
	AlphaUnicode    string  `json:"alphaUnicode" validate:"alphaunicode" schema:"pattern: '^\\\\p{L}+$'"`
	ASCII           string  `json:"ascii" validate:"ascii" schema:"pattern: '^[\\\\x01-\\\\x7F]*$'"`
	Number          string  `json:"number" validate:"number" schema:"pattern: '^[0-9]+$'"`
	Numeric         string  `json:"numeric" validate:"numeric" schema:"pattern: '^[-+]?[0-9]+(\\\\.[0-9]+)?$'"`
	Hexadecimal     string  `json:"hexadecimal" validate:"hexadecimal" schema:"pattern: '^(0[xX])?[0-9A-Fa-f]+$'"`
	Lowercase       string  `json:"lowercase" validate:"lowercase" schema:"pattern: '^[^A-Z]+$', format: 'lowercase', description: 'Must be in lowercase.'"`
	Boolean         string  `json:"boolean" validate:"boolean" schema:"enum: ['1','t','T','true','TRUE','True','0','f','F','false','FALSE','False']"`
	StartsWith      string  `json:"startsWith" validate:"startswith=a.b" schema:"pattern: '^a\\\\.b'"`
	EndsWith        string  `json:"endsWith" validate:"endswith=!" schema:"pattern: '!$'"`
	Contains        string  `json:"contains" validate:"contains=$" schema:"pattern: '\\\\$'"`
	ContainsAny     string  `json:"containsAny" validate:"containsany=!-]" schema:"pattern: '[!\\\\-\\\\]]'"`
	Excludes        string  `json:"excludes" validate:"excludes=@" schema:"not: {pattern: '@'}"`
	ExcludesAll     string  `json:"excludesAll" validate:"excludesall=<>" schema:"not: {pattern: '[<>]'}"`
	StartsNotWith   string  `json:"startsNotWith" validate:"startsnotwith=x" schema:"not: {pattern: '^x'}"`
	Both            string  `json:"both" validate:"startswith=A-,endswith=-Z" schema:"pattern: '^A-', allOf: [{type: 'string', pattern: '-Z$'}]"`
	Either          string  `json:"either" validate:"email|e164" schema:"anyOf: [{type: 'string', format: 'email'}, {type: 'string', pattern: '^\\\\+?[1-9][0-9]{7,14}$'}]"`
	Email           string  `json:"email" validate:"email" schema:"format: 'email'"`
	URL             string  `json:"url" validate:"url" schema:"format: 'uri', pattern: '^[^:/?#]+:(//[^/?#]|[^/?#]|.*#.)|^[Ff][Ii][Ll][Ee]:/{1,3}[^/?#]'"`
	HTTPURL         string  `json:"httpUrl" validate:"http_url" schema:"format: 'uri', pattern: '^[Hh][Tt][Tt][Pp][Ss]?://[^/?#]'"`
	URI             string  `json:"uri" validate:"uri" schema:"format: 'uri-reference', pattern: '^(/|\\\\*$|[A-Za-z][0-9A-Za-z+.-]*:)'"`
	IPv4            string  `json:"ipv4" validate:"ipv4" schema:"format: 'ipv4'"`
	IP              string  `json:"ip" validate:"ip" schema:"anyOf: [{type: 'string', format: 'ipv4'}, {type: 'string', format: 'ipv6'}]"`
	UUID            string  `json:"uuid" validate:"uuid" schema:"format: 'uuid'"`
	Date            string  `json:"date" validate:"datetime=2006-01-02" schema:"format: 'date'"`
	DateTime        string  `json:"dateTime" validate:"datetime=2006-01-02T15:04:05Z07:00" schema:"format: 'date-time'"`
	Layout          string  `json:"layout" validate:"datetime=15h04" schema:"format: 'layout', description: 'Must be a date or time in the format 15h04.'"`
	HexColor        string  `json:"hexColor" validate:"hexcolor" schema:"pattern: '^#([0-9A-Fa-f]{3}|[0-9A-Fa-f]{4}|[0-9A-Fa-f]{6}|[0-9A-Fa-f]{8})$'"`
	E164            string  `json:"e164" validate:"e164" schema:"pattern: '^\\\\+?[1-9][0-9]{7,14}$'"`
	SHA256          string  `json:"sha256" validate:"sha256" schema:"pattern: '^[0-9a-f]{64}$'"`
	Latitude        string  `json:"latitude" validate:"latitude" schema:"pattern: '^[-+]?([1-8]?[0-9](\\\\.[0-9]+)?|90(\\\\.0+)?)$'"`
	Country         string  `json:"country" validate:"iso3166_1_alpha2" schema:"pattern: '^[A-Z]{2}$', format: 'country-code', description: 'Must be a two-letter country code such as DE.'"`
	JSON            string  `json:"json" validate:"json" schema:"contentMediaType: 'application/json', format: 'json', description: 'Must contain valid JSON.'"`
	Card            string  `json:"card" validate:"credit_card" schema:"format: 'credit-card', description: 'Must be a credit card number.'"`
	TimeZone        string  `json:"timeZone" validate:"timezone" schema:"format: 'timezone', description: 'Must be a time zone such as Europe/Berlin.'"`
	Nullable        *string `json:"nullable" validate:"omitempty,oneof=a b" schema:"type: ['string', 'null'], enum: ['a', 'b', null]"`
	NullableConst   *string `json:"nullableConst" validate:"omitempty,eq=a" schema:"type: ['string', 'null'], enum: ['a', null]"`
	NullableEither  *string `json:"nullableEither" validate:"omitempty,eq=a|eq=b" schema:"type: ['string', 'null'], anyOf: [{type: 'string', const: 'a'}, {type: 'string', const: 'b'}, {type: 'null'}]"`
	NullableNeeded  *string `json:"nullableNeeded" validate:"required,max=3" schema:"maxLength: 3"`
	NotBlankDefault string  `json:"notBlankDefault" validate:"max=9" default:"plain" doc:"Of no use" example:"fine" schema:"maxLength: 9, default: 'plain', examples: ['fine'], description: 'Of no use'"`
}

// Values has a value of another kind for each rule that means something for it.
type Values struct {
	ID            int64              `json:"id"`
	Int8          int8               `json:"int8" schema:"type: 'integer', minimum: -128, maximum: 127"`
	Int32         int32              `json:"int32" schema:"type: 'integer', format: 'int32'"`
	Int           int                `json:"int" schema:"type: 'integer', format: 'int64'"`
	Uint16        uint16             `json:"uint16" schema:"type: 'integer', minimum: 0, maximum: 65535"`
	Uint64        uint64             `json:"uint64" schema:"type: 'integer', minimum: 0, format: 'int64'"`
	Float32       float32            `json:"float32" schema:"type: 'number', format: 'float'"`
	Float64       float64            `json:"float64" schema:"type: 'number', format: 'double'"`
	Range         int                `json:"range" validate:"min=3,max=9" schema:"type: 'integer', format: 'int64', minimum: 3, maximum: 9"`
	Between       float64            `json:"between" validate:"gt=0.5,lt=1.5" schema:"type: 'number', format: 'double', exclusiveMinimum: 0.5, exclusiveMaximum: 1.5"`
	Exactly       int                `json:"exactly" validate:"eq=7" schema:"type: 'integer', format: 'int64', const: 7"`
	Not           int                `json:"not" validate:"ne=1" schema:"type: 'integer', format: 'int64', not: {const: 1}"`
	Among         int                `json:"among" validate:"oneof=2 4 8" schema:"type: 'integer', format: 'int64', enum: [2, 4, 8]"`
	AmongNull     *int               `json:"amongNull" validate:"omitempty,oneof=2 4" schema:"type: ['integer', 'null'], format: 'int64', enum: [2, 4, null]"`
	Huge          int64              `json:"huge" validate:"lte=9223372036854775806" schema:"type: 'integer', format: 'bound', description: 'Must be at most 9223372036854775806.'"`
	Longitude     float64            `json:"longitude" validate:"longitude" schema:"type: 'number', format: 'double', minimum: -180, maximum: 180"`
	Agreed        bool               `json:"agreed" validate:"eq=true" schema:"type: 'boolean', const: true"`
	NeededZero    int                `json:"neededZero" validate:"required" schema:"type: 'integer', format: 'int64'"`
	List          []int              `json:"list" validate:"min=1,max=3,unique,dive,gte=1" schema:"type: 'array', minItems: 1, maxItems: 3, uniqueItems: true, items: {type: 'integer', format: 'int64', minimum: 1}"`
	Lists         [][]string         `json:"lists" validate:"dive,max=2,dive,len=1" schema:"type: 'array', items: {type: 'array', maxItems: 2, items: {type: 'string', minLength: 1, maxLength: 1}}"`
	Optional      []string           `json:"optional" validate:"dive,omitempty,email" schema:"type: 'array', items: {type: 'string', anyOf: [{type: 'string', maxLength: 0}, {type: 'string', format: 'email'}]}"`
	Nulls         []*int             `json:"nulls" validate:"dive,gte=1" schema:"type: 'array', items: {type: ['integer', 'null'], format: 'int64', minimum: 1}"`
	Map           map[string]float64 `json:"map" validate:"max=2,dive,keys,lowercase,endkeys,lte=1" schema:"type: 'object', maxProperties: 2, propertyNames: {pattern: '^[^A-Z]+$', format: 'lowercase'}, additionalProperties: {type: 'number', format: 'double', maximum: 1}, description: 'Must be in lowercase.'"`
	Bytes         []byte             `json:"bytes" validate:"max=9" schema:"type: 'string', contentEncoding: 'base64', pattern: '^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$', format: 'length', description: 'Must be at most 9 bytes long.'"`
	Something     any                `json:"something" validate:"required" schema:"not: {type: 'null'}"`
	Zero          int                `json:"zero" validate:"isdefault" schema:"type: 'integer', format: 'int64', const: 0"`
	No            bool               `json:"no" validate:"isdefault" schema:"type: 'boolean', const: false"`
	Times         []time.Time        `json:"times" validate:"unique" schema:"type: 'array', items: {type: 'string', format: 'date-time'}, format: 'unique', description: 'Must not contain duplicates.'"`
	Distinct      map[string]int     `json:"distinct" validate:"unique" schema:"type: 'object', additionalProperties: {type: 'integer', format: 'int64'}, format: 'unique', description: 'Must not contain duplicates.'"`
	SomeFives     []int              `json:"someFives" validate:"dive,omitempty,gte=5" schema:"type: 'array', items: {type: 'integer', anyOf: [{type: 'integer', const: 0}, {type: 'integer', format: 'int64', minimum: 5}]}"`
	SomeTrue      []bool             `json:"someTrue" validate:"dive,omitempty,eq=true" schema:"type: 'array', items: {type: 'boolean', anyOf: [{type: 'boolean', const: false}, {type: 'boolean', const: true}]}"`
	KeysOrNone    map[string]int     `json:"keysOrNone" validate:"dive,keys,omitempty,len=2,endkeys" schema:"type: 'object', additionalProperties: {type: 'integer', format: 'int64'}, propertyNames: {anyOf: [{maxLength: 0}, {minLength: 2, maxLength: 2}]}"`
	Unvalidated   int                `json:"unvalidated" validate:"-" schema:"type: 'integer', format: 'int64'"`
	ExplicitZero  int                `json:"explicitZero" validate:"omitempty,gte=5" schema:"type: 'integer', format: 'int64', minimum: 5"`
	OneUnique     string             `json:"oneUnique" api:"unique" schema:"type: 'string', maxLength: 400, description: 'Must be unique.'"`
	ShownNowhere  string             `json:"shownNowhere" api:"writeonly" schema:"type: 'string', writeOnly: true"`
	SetByService  string             `json:"setByService" api:"readonly" validate:"max=3" schema:"readOnly: true"`
	EmptyByItself string             `json:"emptyByItself" validate:"isdefault" schema:"type: 'string', maxLength: 0"`
}

// Pairs has fields that rules compare with one another.
type Pairs struct {
	ID       int64     `json:"id"`
	Password string    `json:"password" validate:"min=3" schema:"type: 'string', minLength: 3"`
	Repeated string    `json:"repeated" validate:"eqfield=Password" schema:"type: 'string', format: 'compared', description: 'Must be equal to password.'"`
	Least    int       `json:"least" schema:"type: 'integer', format: 'int64'"`
	Most     int       `json:"most" validate:"gtfield=Least,lte=5" schema:"type: 'integer', format: 'compared', maximum: 5, description: 'Must be greater than least.'"`
	Begin    time.Time `json:"begin" schema:"type: 'string', format: 'date-time'"`
	End      time.Time `json:"end" validate:"gtfield=Begin" schema:"type: 'string', format: 'compared', description: 'Must be after begin.'"`
	Other    float64   `json:"other" validate:"ltefield=Absent.Name" schema:"type: 'number', format: 'compared', description: 'Must be less than or equal to absent.name.'"`
	Absent   struct {
		Name float64 `json:"name"`
	} `json:"absent"`
	Reason string `json:"reason" validate:"required_if=Least 3 Most 4" schema:"type: 'string', format: 'conditional', description: 'Required if least is 3 and most is 4.'"`
	Remark string `json:"remark" validate:"required_without_all=Reason Repeated" schema:"type: 'string', format: 'conditional', description: 'Required if reason and repeated are missing.'"`
	Never  string `json:"never" validate:"excluded_with=Reason" schema:"type: 'string', format: 'conditional', description: 'Must be omitted if reason is present.'"`
}

func TestEachRuleIsSaid(t *testing.T) {
	t.Parallel()
	document := documentOf(t, mounted(t, resource.Of[Texts]{}, resource.Of[Values]{}, resource.Of[Pairs]{}))
	for _, of := range []reflect.Type{reflect.TypeFor[Texts](), reflect.TypeFor[Values](), reflect.TypeFor[Pairs]()} {
		for i := 1; i < of.NumField(); i++ {
			field := of.Field(i)
			name := field.Tag.Get("json")
			if field.Tag.Get("schema") == "" {
				continue
			}
			t.Run(of.Name()+"."+field.Name, func(t *testing.T) {
				t.Parallel()
				want := keywords(t, field.Tag.Get("schema"))
				if of.Name() == "Texts" && want["type"] == nil {
					want["type"] = "string"
				}
				got := document.at(t, "components", "schemas", of.Name()+"Create", "properties", name)
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("validate:%q is said wrong (-want +got):\n%s", field.Tag.Get("validate"), diff)
				}
			})
		}
	}
}

// keywords reads a schema in short: names without quotes, texts in single ones.
func keywords(t *testing.T, short string) map[string]any {
	t.Helper()
	text := shortName.ReplaceAllString("{"+short+"}", `"$1":`)
	var schema map[string]any
	if err := json.Unmarshal([]byte(strings.ReplaceAll(text, "'", `"`)), &schema); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return schema
}

// shortName is a name of a keyword that has no quotes.
var shortName = regexp.MustCompile(`\b([a-zA-Z]+):(?: |$)`)

package openapi_test

import (
	"net/http"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/google/go-cmp/cmp"

	"github.com/trove-api/trove/openapi"
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
	End      time.Time `json:"end" validate:"gtfield=Begin" schema:"type: 'string', format: 'date-time', description: 'Must be after begin.', allOf: [{type: 'string', format: 'compared'}]"`
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

// Period is embedded in a Lease.
type Period struct {
	Start time.Time `json:"from"`
	End   time.Time `json:"to" validate:"gtfield=Start"`
}

// Lease has rules that name other fields.
type Lease struct {
	Period

	ID      int64  `json:"id"`
	Kind    string `json:"kind"`
	Size    int    `json:"size"`
	Deposit string `json:"deposit" validate:"required_unless=Kind free Size 3"`
	Fee     string `json:"fee" validate:"excluded_unless=Kind paid Size 5"`
	Clerk   string `json:"clerk" validate:"required_if=Kind big Size 9"`
}

func TestRulesThatNameOtherMembersAreSaidAsTheyWork(t *testing.T) {
	t.Parallel()
	api := mounted(t, resource.Of[Lease]{})
	document := documentOf(t, api)
	for member, want := range map[string]string{
		"deposit": "Required unless kind is free or size is 3.",
		"fee":     "Must be omitted unless kind is paid or size is 5.",
		"clerk":   "Required if kind is big and size is 9.",
		"to":      "Must be after from.",
	} {
		if got := document.at(t, "components", "schemas", "LeaseCreate", "properties", member, "description"); got != want {
			t.Errorf("%s is described as %q, want %q", member, got, want)
		}
	}
	const period = `"from":"2026-01-01T00:00:00Z","to":"2026-01-02T00:00:00Z",`
	for body, want := range map[string]int{
		`{` + period + `"kind":"x","size":1}`:                                                400,
		`{` + period + `"kind":"free","size":1}`:                                             201,
		`{` + period + `"kind":"x","size":3}`:                                                201,
		`{` + period + `"kind":"x","size":1,"deposit":"d"}`:                                  201,
		`{` + period + `"kind":"x","size":3,"fee":"f"}`:                                      400,
		`{` + period + `"kind":"paid","size":3,"fee":"f"}`:                                   201,
		`{` + period + `"kind":"free","size":5,"fee":"f"}`:                                   201,
		`{` + period + `"kind":"big","size":3}`:                                              201,
		`{` + period + `"kind":"big","size":9,"deposit":"d"}`:                                400,
		`{` + period + `"kind":"big","size":9,"deposit":"d","clerk":"c"}`:                    201,
		`{"from":"2026-01-02T00:00:00Z","to":"2026-01-01T00:00:00Z","kind":"free","size":1}`: 400,
	} {
		if w := send(t, api, http.MethodPost, "/api/leases", body); w.Code != want {
			t.Errorf("%s gets %d, want %d: %s", body, w.Code, want, w.Body)
		}
	}
}

// MoreTexts has a text for each further rule. None may be left out, so that the example
// of its body has a value for each, which the service must take.
type MoreTexts struct {
	ID              int64  `json:"id"`
	AlphaSpace      string `json:"alphaSpace" validate:"alphaspace"`
	AlphaNumSpace   string `json:"alphaNumSpace" validate:"alphanumspace"`
	AlphaNumUnicode string `json:"alphaNumUnicode" validate:"alphanumunicode"`
	PrintASCII      string `json:"printAscii" validate:"required,printascii"`
	MultiByte       string `json:"multiByte" validate:"required,multibyte"`
	Uppercase       string `json:"uppercase" validate:"uppercase"`
	ContainsRune    string `json:"containsRune" validate:"containsrune=@"`
	ExcludesRune    string `json:"excludesRune" validate:"required,excludesrune=@"`
	EndsNotWith     string `json:"endsNotWith" validate:"required,endsnotwith=!"`
	NoneOfCI        string `json:"noneOfCi" validate:"required,noneofci=red Blue"`
	HTTPSURL        string `json:"httpsUrl" validate:"https_url"`
	IPv6            string `json:"ipv6" validate:"ipv6"`
	Hostname        string `json:"hostname" validate:"hostname"`
	Hostname1123    string `json:"hostname1123" validate:"hostname_rfc1123"`
	FQDN            string `json:"fqdn" validate:"fqdn"`
	UUID3           string `json:"uuid3" validate:"uuid3"`
	UUID4           string `json:"uuid4" validate:"uuid4"`
	UUID5           string `json:"uuid5" validate:"uuid5"`
	UUID7           string `json:"uuid7" validate:"uuid7"`
	UUIDRFC4122     string `json:"uuidRfc4122" validate:"uuid_rfc4122"`
	SemVer          string `json:"semVer" validate:"semver"`
	JWT             string `json:"jwt" validate:"jwt"`
	Base64          string `json:"base64" validate:"base64"`
	Base64URL       string `json:"base64Url" validate:"base64url"`
	Base64RawURL    string `json:"base64RawUrl" validate:"base64rawurl"`
	MD5             string `json:"md5" validate:"md5"`
	SHA384          string `json:"sha384" validate:"sha384"`
	SHA512          string `json:"sha512" validate:"sha512"`
	MongoDB         string `json:"mongoDb" validate:"mongodb"`
	EthAddr         string `json:"ethAddr" validate:"eth_addr"`
	BIC             string `json:"bic" validate:"bic"`
	EIN             string `json:"ein" validate:"ein"`
	URLEncoded      string `json:"urlEncoded" validate:"required,url_encoded"`
	Alpha3          string `json:"alpha3" validate:"iso3166_1_alpha3"`
	Currency        string `json:"currency" validate:"iso4217"`
	LanguageTag     string `json:"languageTag" validate:"bcp47_language_tag"`
	CIDR            string `json:"cidr" validate:"cidr"`
	CIDRv4          string `json:"cidrv4" validate:"cidrv4"`
	CIDRv6          string `json:"cidrv6" validate:"cidrv6"`
	Cron            string `json:"cron" validate:"cron"`
	DataURI         string `json:"dataUri" validate:"datauri"`
	Duration        string `json:"duration" validate:"duration"`
	HostnamePort    string `json:"hostnamePort" validate:"hostname_port"`
	ISBN            string `json:"isbn" validate:"isbn"`
	ISBN10          string `json:"isbn10" validate:"isbn10"`
	ISBN13          string `json:"isbn13" validate:"isbn13"`
	ISSN            string `json:"issn" validate:"issn"`
	Luhn            string `json:"luhn" validate:"luhn_checksum"`
	MAC             string `json:"mac" validate:"mac"`
	ULID            string `json:"ulid" validate:"ulid"`
	Long            string `json:"long" validate:"min=40,max=41"`
	Short           string `json:"short" validate:"required,max=1"`
	LongPrefixed    string `json:"longPrefixed" validate:"startswith=X-,endswith=-Y,min=20"`
}

// FuzzTextRules sends any string to the fields of two structs. The service must reject all that the schema rejects. If
// keywords express the whole rule, it must accept the rest.
func FuzzTextRules(f *testing.F) {
	for _, probe := range sampled(4, probes) {
		var text string
		if json.Unmarshal([]byte(probe), &text) == nil {
			f.Add(text)
		}
	}
	api, err := resource.New(resource.Config{}, resource.Of[Texts]{}, resource.Of[MoreTexts]{})
	if err == nil {
		err = openapi.Mount(api, openapi.Config{})
	}
	if err != nil {
		f.Fatal(err)
	}
	members := append(measure(f, api, "Texts"), measure(f, api, "MoreTexts")...)
	members = slices.DeleteFunc(members, func(m measured) bool { // validators differ about URLs and e-mails
		return slices.Contains([]string{"email", "either", "url", "httpUrl", "httpsUrl", "uri"}, m.name)
	})
	f.Fuzz(func(t *testing.T, text string) {
		probe, err := json.Marshal(text)
		if err != nil || strings.ContainsRune(text, 0) {
			t.Skip("no text that a body may have")
		}
		for _, m := range members {
			m.compare(t, api, string(probe))
		}
	})
}

// FuzzNumberRules does the same with numbers.
func FuzzNumberRules(f *testing.F) {
	for _, seed := range []float64{0, 1, -1, 0.5, 1.5, 7, 9, 127, 128, 32768, 65535, 65536, 2147483648, 1e18, 1e19, 1e20, 3.5e38, -180.5, 1e-7} {
		f.Add(seed)
	}
	api, err := resource.New(resource.Config{}, resource.Of[Values]{})
	if err == nil {
		err = openapi.Mount(api, openapi.Config{})
	}
	if err != nil {
		f.Fatal(err)
	}
	members := measure(f, api, "Values")
	f.Fuzz(func(t *testing.T, number float64) {
		probe, err := json.Marshal(number)
		if err != nil {
			t.Skip("not a number of JSON")
		}
		for _, m := range members {
			m.compare(t, api, string(probe))
			m.compare(t, api, "["+string(probe)+"]")
		}
	})
}

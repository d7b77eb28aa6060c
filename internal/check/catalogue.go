package check

import (
	"strings"
	"sync"

	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/validation"
)

// spec is one row of the catalogue: what is known of a rule before it has a parameter. Check, message and schema
// are in one row so that they cannot drift apart.
type spec struct {
	fits        kinds
	ofText      bool             // also fits types that marshal themselves as text and have an order
	param       bool             // needs a parameter
	fields      bool             // the parameter names other fields, so the value alone is not enough
	own         *validation.Rule // the user's; nil for a built-in one
	unsupported string           // why the rule is not supported; "" for a supported one
	message     string           // follows the field's name
	ofTimes     string           // likewise, if the value is a date or time; "" for the same
	check       compiling        // nil if validator checks the values
	describe    description      // nil if schemas can only name the rule
}

// textRules are the rules for strings: name, message, schema and check. Those whose message has the parameter need one.
// Rules that are rare, or whose lists change, have no check: validator has it.
var textRules = []struct {
	name, message string
	describe      description
	check         compiling
}{
	// Which characters a string contains.
	{"notblank", "must not be blank", notBlank, text(IsNotBlank)},
	{"alpha", "must contain only the letters A-Z and a-z", matching("^[A-Za-z]+$", "abc"), text(madeOf(isLetter))},
	{"alphaspace", "must contain only the letters A-Z and a-z, and spaces", matching("^[A-Za-z ]+$", "abc"), nil},
	{"alphanum", "must contain only the letters A-Z and a-z, and digits", matching("^[0-9A-Za-z]+$", "abc1"), text(madeOf(isAlphanumeric))},
	{"alphanumspace", "must contain only the letters A-Z and a-z, digits and spaces", matching("^[0-9A-Za-z ]+$", "abc1"), nil},
	{"alphaunicode", "must contain only letters", matching(`^\p{L}+$`, "abc"), nil},
	{"alphanumunicode", "must contain only letters and digits", matching(`^[\p{L}\p{N}]+$`, "abc1"), nil},
	{"ascii", "must contain only ASCII characters", matching(`^[\x01-\x7F]*$`, "abc"), nil},
	{"printascii", "must contain only printable ASCII characters", matching(`^[\x20-\x7E]*$`, "abc"), nil},
	{"multibyte", "must contain a non-ASCII character", matching(`^$|[^\x00-\x7F]`, "日本語"), nil},
	{"boolean", "must be a boolean such as true or false", among("1", "t", "T", "true", "TRUE", "True", "0", "f", "F", "false", "FALSE", "False"), nil},
	{"numeric", "must be a number such as 4.2", matching(`^[-+]?[0-9]+(\.[0-9]+)?$`, "4.2"), text(isNumeric)},
	{"number", "must contain only digits", matching("^[0-9]+$", "42"), text(madeOf(isDigit))},
	{"hexadecimal", "must be a hexadecimal number", matching("^(0[xX])?[0-9A-Fa-f]+$", "1f"), nil},
	{"lowercase", "must be in lowercase", partly("lowercase", "^[^A-Z]+$", "abc"), text(isLowerCase)},
	{"uppercase", "must be in uppercase", partly("uppercase", "^[^a-z]+$", "ABC"), text(isUpperCase)},

	// URLs, hosts and networks.
	{"email", "must be an email address", formatted("email", "", "name@example.com"), emailCheck},
	{"url", "must be a URL such as https://example.com/", formatted("uri", anyURL, somePage), urlCheck("http://", "https://")},
	{"http_url", "must be a URL that starts with http:// or https://", formatted("uri", webURL, somePage), urlCheck("http://", "https://")},
	{"https_url", "must be a URL that starts with https://", formatted("uri", "^[Hh][Tt][Tt][Pp][Ss]://[^/?#]", somePage), urlCheck("https://")},
	{"uri", "must be a URI", formatted("uri-reference", `^(/|\*$|[A-Za-z][0-9A-Za-z+.-]*:)`, somePage), nil},
	{"origin", "must be an origin such as https://example.com", marked("origin", "https://example.com"), nil},
	{"urn_rfc2141", "must be a URN such as urn:isbn:9783161484100", marked("urn", "urn:isbn:9783161484100"), nil},
	{"urn_rfc8141", "must be a URN such as urn:isbn:9783161484100", marked("urn", "urn:isbn:9783161484100"), nil},
	{"ip", "must be an IP address", anyAddress, nil},
	{"ipv4", "must be an IPv4 address", formatted("ipv4", "", "192.0.2.1"), nil},
	{"ipv6", "must be an IPv6 address", formatted("ipv6", "", "2001:db8::1"), nil},
	{"cidr", "must be an IP network such as 192.0.2.0/24", marked("cidr", "192.0.2.0/24"), nil},
	{"cidrv4", "must be an IPv4 network such as 192.0.2.0/24", marked("cidr", "192.0.2.0/24"), nil},
	{"cidrv6", "must be an IPv6 network such as 2001:db8::/32", marked("cidr", "2001:db8::/32"), nil},
	{"mac", "must be a MAC address", marked("mac", "00:00:5e:00:53:01"), nil},
	{"hostname", "must be a hostname", matching(`^[A-Za-z]`+restOfHost, "www.example.com"), nil},
	{"hostname_rfc1123", "must be a hostname", matching(`^[0-9A-Za-z]`+restOfHost, "www.example.com"), nil},
	{"hostname_label", "must be a hostname label", marked("dns-label", "example"), nil},
	{"hostname_port", "must be a host and port such as example.com:80", marked("hostname-port", "example.com:8080"), nil},
	{"dns_rfc1035_label", "must be a DNS label", marked("dns-label", "example"), nil},
	{"fqdn", "must be a fully qualified domain name such as www.example.com", matching(domainPattern, "www.example.com"), nil},
	{"html", "must contain an HTML tag", marked("html", "<p>Text</p>"), nil},
	{"html_encoded", "must contain an HTML character reference such as &#38;", marked("html-encoded", "&#38;"), nil},
	{"url_encoded", "must be percent-encoded", matching("^([^%]|%[0-9A-Fa-f]{2})*$", "a%20b"), nil},
	{"jwt", "must be a JSON Web Token", matching(`^[0-9A-Za-z_-]+\.[0-9A-Za-z_-]+\.[0-9A-Za-z_-]*$`, "eyJhbGciOiJub25lIn0.e30."), nil},

	// Encodings and hashes.
	{"datauri", "must be a data URI", marked("data-uri", "data:text/plain;base64,aGVsbG8="), nil},
	{"base32", "must be a base32 string", marked("base32", "NBSWY3DP"), nil},
	{"base64", "must be a base64 string", matching("^([0-9A-Za-z+/]{4})*([0-9A-Za-z+/]{2}==|[0-9A-Za-z+/]{3}=|[0-9A-Za-z+/]{4})$", "aGVsbG8="), nil},
	{"base64url", "must be a base64url string", matching("^([0-9A-Za-z_-]{4})*([0-9A-Za-z_-]{2}==|[0-9A-Za-z_-]{3}=|[0-9A-Za-z_-]{4})$", "aGVsbG8="), nil},
	{"base64rawurl", "must be a base64url string without padding", matching("^([0-9A-Za-z_-]{4})*[0-9A-Za-z_-]{2,4}$", "aGVsbG8"), nil},
	{"json", "must contain valid JSON", describeJSON, nil},
	{"md4", "must be an MD4 hash in hexadecimal", marked("md4", digits(32)), nil},
	{"md5", "must be an MD5 hash in hexadecimal", hexDigits(32), nil},
	{"sha256", "must be a SHA-256 hash in hexadecimal", hexDigits(64), nil},
	{"sha384", "must be a SHA-384 hash in hexadecimal", hexDigits(96), nil},
	{"sha512", "must be a SHA-512 hash in hexadecimal", hexDigits(128), nil},
	{"ripemd128", "must be a RIPEMD-128 hash in hexadecimal", marked("ripemd128", digits(32)), nil},
	{"ripemd160", "must be a RIPEMD-160 hash in hexadecimal", marked("ripemd160", digits(40)), nil},
	{"tiger128", "must be a Tiger-128 hash in hexadecimal", marked("tiger128", digits(32)), nil},
	{"tiger160", "must be a Tiger-160 hash in hexadecimal", marked("tiger160", digits(40)), nil},
	{"tiger192", "must be a Tiger-192 hash in hexadecimal", marked("tiger192", digits(48)), nil},

	// Identifiers.
	{"semver", "must be a semantic version such as 1.2.3", matching(semanticVersion, "1.2.3"), nil},
	{"uuid", "must be a UUID", formatted("uuid", "", "0f8fad5b-d9cb-469f-a165-70867728950e"), text(uuidOf(0))},
	{"uuid3", "must be a UUID of version 3", uuidPattern("3", "0-9a-f", "a3bb189e-8bf9-3888-9912-ace4e6543002"), nil},
	{"uuid4", "must be a UUID of version 4", uuidPattern("4", "89ab", "0f8fad5b-d9cb-469f-a165-70867728950e"), text(uuidOf('4'))},
	{"uuid5", "must be a UUID of version 5", uuidPattern("5", "89ab", "a6edc906-2f9f-5fb2-a373-efac406f0ef2"), nil},
	{"uuid7", "must be a UUID of version 7", uuidPattern("7", "89ab", "01890a5d-ac96-774b-bcce-b302099a8057"), text(uuidOf('7'))},
	{"uuid_rfc4122", "must be a UUID", formatted("uuid", "", "0f8fad5b-d9cb-469f-a165-70867728950e"), nil},
	{"uuid3_rfc4122", "must be a UUID of version 3", marked("uuid3", "a3bb189e-8bf9-3888-9912-ace4e6543002"), nil},
	{"uuid4_rfc4122", "must be a UUID of version 4", marked("uuid4", "0f8fad5b-d9cb-469f-a165-70867728950e"), nil},
	{"uuid5_rfc4122", "must be a UUID of version 5", marked("uuid5", "a6edc906-2f9f-5fb2-a373-efac406f0ef2"), nil},
	{"ulid", "must be a ULID", marked("ulid", "01ARZ3NDEKTSV4RRFFQ69G5FAV"), nil},
	{"isbn", "must be an ISBN", marked("isbn", "9783161484100"), nil},
	{"isbn10", "must be a 10-digit ISBN", marked("isbn", "316148410X"), nil},
	{"isbn13", "must be a 13-digit ISBN", marked("isbn", "9783161484100"), nil},
	{"issn", "must be an ISSN", marked("issn", "2049-3630"), nil},
	{"ssn", "must be a US social security number", marked("ssn", "078-05-1120"), nil},
	{"ein", "must be a US employer identification number", matching("^[0-9]{2}-[0-9]{7}$", "12-3456789"), nil},
	{"credit_card", "must be a credit card number", marked("credit-card", "4111111111111111"), nil},
	{"luhn_checksum", "must end in a valid Luhn check digit", marked("luhn", "79927398713"), nil},
	{"bic", "must be a bank identifier code (BIC)", matching("^[0-9A-Z]{4}[A-Z]{2}[0-9A-Z]{2}([0-9A-Z]{3})?$", "DEUTDEFF"), nil},
	{"bic_iso_9362_2014", "must be a bank identifier code (BIC)", marked("bic", "DEUTDEFF"), nil},
	{"btc_addr", "must be a Bitcoin address", marked("btc-addr", "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2"), nil},
	{"btc_addr_bech32", "must be a Bech32 Bitcoin address", marked("btc-addr", "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"), nil},
	{"eth_addr", "must be an Ethereum address", matching("^0x[0-9A-Fa-f]{40}$", "0x52908400098527886e0f7030069857d2e4169ee7"), nil},
	{"eth_addr_checksum", "must be an Ethereum address with a checksum", marked("eth-addr", "0x52908400098527886E0F7030069857D2E4169EE7"), nil},
	{"cve", "must be a CVE identifier such as CVE-2026-1234", marked("cve", "CVE-2026-1234"), nil},
	{"mongodb", "must be a MongoDB ObjectID", hexDigits(24), nil},
	{"mongodb_connection_string", "must be a MongoDB connection string", marked("mongodb-uri", "mongodb://localhost:27017"), nil},

	// Places, languages, times and colours.
	{"e164", "must be a phone number such as +4930901820", matching(`^\+?[1-9][0-9]{7,14}$`, "+14155552671"), nil},
	{"cron", "must be a cron expression", marked("cron", "0 6 * * *"), nil},
	{"duration", "must be a duration such as 1h30m", marked("go-duration", "1h30m"), nil},
	{"timezone", "must be a time zone such as Europe/Berlin", marked("timezone", "Europe/Berlin"), nil},
	{"country_code", "must be an ISO 3166-1 country code", marked("country-code", "DE"), nil},
	{"eu_country_code", "must be an EU country code", marked("country-code", "DE"), nil},
	{"iso3166_1_alpha2", "must be a two-letter country code such as DE", partly("country-code", "^[A-Z]{2}$", "DE"), nil},
	{"iso3166_1_alpha2_eu", "must be a two-letter EU country code", marked("country-code", "DE"), nil},
	{"iso3166_1_alpha3", "must be a three-letter country code such as DEU", partly("country-code", "^[A-Z]{3}$", "DEU"), nil},
	{"iso3166_1_alpha3_eu", "must be a three-letter EU country code", marked("country-code", "DEU"), nil},
	{"iso3166_1_alpha_numeric", "must be a three-digit country code such as 276", marked("country-code", "276"), nil},
	{"iso3166_1_alpha_numeric_eu", "must be a three-digit EU country code", marked("country-code", "276"), nil},
	{"iso3166_2", "must be an ISO 3166-2 subdivision code such as DE-BE", marked("subdivision-code", "DE-BE"), nil},
	{"iso4217", "must be a currency code such as EUR", partly("currency-code", "^[A-Z]{3}$", "EUR"), nil},
	{"bcp47_language_tag", "must be a language tag such as en-GB", marked("language-tag", "en-GB"), nil},
	{"bcp47_strict_language_tag", "must be a language tag such as en-GB", marked("language-tag", "en-GB"), nil},
	{"hexcolor", "must be a colour such as #ff8800", matching("^#([0-9A-Fa-f]{3}|[0-9A-Fa-f]{4}|[0-9A-Fa-f]{6}|[0-9A-Fa-f]{8})$", "#336699"), nil},
	{"rgb", "must be a colour such as rgb(255,136,0)", marked("rgb", "rgb(255,136,0)"), nil},
	{"rgba", "must be a colour such as rgba(255,136,0,0.5)", marked("rgba", "rgba(255,136,0,0.5)"), nil},
	{"hsl", "must be a colour such as hsl(32,100%,50%)", marked("hsl", "hsl(32,100%,50%)"), nil},
	{"hsla", "must be a colour such as hsla(32,100%,50%,0.5)", marked("hsla", "hsla(32,100%,50%,0.5)"), nil},
	{"cmyk", "must be a colour such as cmyk(0%,47%,100%,0%)", marked("cmyk", "cmyk(0%,47%,100%,0%)"), nil},
	{"iscolor", "must be a colour such as #ff8800", marked("color", "#ff8800"), nil},

	// The parameter.
	{"startswith", `must start with "{param}"`, partOf(`^`, ``), withParam(strings.HasPrefix)},
	{"startsnotwith", `must not start with "{param}"`, except(partOf(`^`, ``)), nil},
	{"endswith", `must end with "{param}"`, partOf(``, `$`), withParam(strings.HasSuffix)},
	{"endsnotwith", `must not end with "{param}"`, except(partOf(``, `$`)), nil},
	{"contains", `must contain "{param}"`, partOf(``, ``), withParam(strings.Contains)},
	{"containsany", "must contain at least one of the characters {param}", anyCharacter, nil},
	{"containsrune", "must contain the character {param}", partOf(``, ``), nil},
	{"excludes", `must not contain "{param}"`, except(partOf(``, ``)), nil},
	{"excludesall", "must not contain any of the characters {param}", except(anyCharacter), nil},
	{"excludesrune", "must not contain the character {param}", except(partOf(``, ``)), nil},
	{"eq_ignore_case", "must be {param} (case-insensitive)", equalInAnyCase, nil},
	{"ne_ignore_case", "must not be {param} (case-insensitive)", except(equalInAnyCase), nil},
	{"oneofci", "must be one of: {list} (case-insensitive)", oneOfAnyCase, nil},
	{"noneofci", "must not be one of: {list} (case-insensitive)", except(oneOfAnyCase), nil},
	{"datetime", "must be a date or time in the format {param}", dateTime, withParam(isDate)},
	{"postcode_iso3166_alpha2", "must be a postal code for {param}", postcode, nil},
	{"spicedb", "must be a SpiceDB {param}", marked("spicedb", "document", "view"), nil},
}

const (
	somePage      = "https://example.com/page"
	anyURL        = "^[^:/?#]+:(//[^/?#]|[^/?#]|.*#.)|^[Ff][Ii][Ll][Ee]:/{1,3}[^/?#]"
	webURL        = "^[Hh][Tt][Tt][Pp][Ss]?://[^/?#]"
	restOfHost    = `([0-9A-Za-z-]{0,61}[0-9A-Za-z])?(\.[0-9A-Za-z]([0-9A-Za-z-]{0,61}[0-9A-Za-z])?)*$`
	domainPattern = `^[0-9A-Za-z][0-9A-Za-z-]{0,62}(\.[0-9A-Za-z][0-9A-Za-z-]{0,62})*\.[A-Za-z][0-9A-Za-z-]{0,62}\.?$`

	// semanticVersion is the expression that semver.org recommends, without the names of groups.
	semanticVersion = `^(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)` +
		`(-(0|[1-9][0-9]*|[0-9]*[A-Za-z-][0-9A-Za-z-]*)(\.(0|[1-9][0-9]*|[0-9]*[A-Za-z-][0-9A-Za-z-]*))*)?` +
		`(\+[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*)?$`
)

// valueRules are the rules for other kinds of values.
func valueRules() map[string]spec {
	sized := numbers | only(model.String, model.Bytes, model.List, model.Array, model.Map)
	// The length of a time means nothing, but comparing it with the current time does.
	timed, words := sized|only(model.Time), only(model.String, model.Int, model.Uint)
	return map[string]spec{
		"required":  {fits: everyKind, message: "is required", check: requiredCheck(true), describe: describeRequired},
		"isdefault": {fits: everyKind, message: "must be empty", check: requiredCheck(false), describe: describeEmpty},

		"min": {fits: sized, ofText: true, param: true, message: "{be} at least {size}", check: comparison, describe: compared(">=")},
		"max": {fits: sized, ofText: true, param: true, message: "{be} at most {size}", check: comparison, describe: compared("<=")},
		"len": {fits: sized, param: true, message: "{be} exactly {size}", check: comparison, describe: compared("len")},
		"gte": {fits: timed, ofText: true, message: "{be} at least {size}", check: comparison, describe: compared(">=")},
		"lte": {fits: timed, ofText: true, message: "{be} at most {size}", check: comparison, describe: compared("<=")},
		"gt":  {fits: timed, ofText: true, message: "{be} {more} than {size}", check: comparison, describe: compared(">")},
		"lt":  {fits: timed, ofText: true, message: "{be} {less} than {size}", check: comparison, describe: compared("<")},
		"eq":  {fits: sized | only(model.Bool), ofText: true, param: true, message: "must be {param}", check: comparison, describe: compared("==")},
		"ne":  {fits: sized | only(model.Bool), ofText: true, param: true, message: "must not be {param}", check: comparison, describe: compared("!=")},

		"oneof":  {fits: words, param: true, message: "must be one of: {list}", check: oneOf, describe: describeOneOf},
		"noneof": {fits: words, param: true, message: "must not be one of: {list}", check: oneOf, describe: except(describeOneOf)},
		"unique": {
			fits: only(model.List, model.Array, model.Map), message: "must not contain duplicates", check: uniqueCheck, describe: describeUnique,
		},

		"latitude": {
			fits: numbers | only(model.String), message: "must be a latitude between -90 and 90",
			describe: coordinate(90, `^[-+]?([1-8]?[0-9](\.[0-9]+)?|90(\.0+)?)$`, "52.5"),
		},
		"longitude": {
			fits: numbers | only(model.String), message: "must be a longitude between -180 and 180",
			describe: coordinate(180, `^[-+]?(180(\.0+)?|(1[0-7][0-9]|[1-9]?[0-9])(\.[0-9]+)?)$`, "13.4"),
		},
		"port": {fits: only(model.Int, model.Uint), message: "must be a port between 1 and 65535", describe: between(1, 65535)},
		"iso4217_numeric": {
			fits: only(model.Int, model.Uint), message: "must be a numeric ISO 4217 currency code",
			describe: marked("currency-code", int64(978), int64(36)), // the euro, and the Australian dollar for small integers
		},
	}
}

// comparisons are the rules that compare a field with another one: with the suffix "field", one of the same struct, and
// with "csfield", one from the record on. Step leads from the other value to one that follows the rule.
var comparisons = []struct {
	name, message, ofTimes string
	step                   int
}{
	{"eq", "must be equal to {fields}", "", 0},
	{"ne", "must be different from {fields}", "", 1},
	{"gt", "must be greater than {fields}", "must be after {fields}", 1},
	{"gte", "must be greater than or equal to {fields}", "must not be before {fields}", 0},
	{"lt", "must be less than {fields}", "must be before {fields}", -1},
	{"lte", "must be less than or equal to {fields}", "must not be after {fields}", 0},
}

// conditions are the rules that require or forbid a field depending on others.
var conditions = map[string]string{
	"required_if":          "is required if {pairs}",
	"required_unless":      "is required unless {pairs}",
	"required_with":        "is required if {any} is present",
	"required_with_all":    "is required if {all} {are} present",
	"required_without":     "is required if {any} is missing",
	"required_without_all": "is required if {all} {are} missing",
	"excluded_if":          "must be omitted if {pairs}",
	"excluded_unless":      "must be omitted unless {pairs}",
	"excluded_with":        "must be omitted if {any} is present",
	"excluded_with_all":    "must be omitted if {all} {are} present",
	"excluded_without":     "must be omitted if {any} is missing",
	"excluded_without_all": "must be omitted if {all} {are} missing",
}

// touchServer are rules that would let clients find out which files or hosts exist.
const touchServer = "file mimetype filepath dir dirpath image uds_exists tcp4_addr tcp6_addr tcp_addr udp4_addr udp6_addr udp_addr " +
	"ip4_addr ip6_addr ip_addr unix_addr"

// catalogue returns the rules of validator, and notblank. Messages have placeholders: {param} is the parameter, {size} is
// the parameter with its unit, {be} is "must be" or "must have", and {more} and {less} fit the unit. For rules that name
// other fields, see withOthers.
var catalogue = sync.OnceValue(func() map[string]spec { //nolint:gochecknoglobals // never changes once built
	rules, text := valueRules(), only(model.String)
	for _, row := range textRules {
		needsParam := strings.Contains(row.message, "{param}") || strings.Contains(row.message, "{list}")
		rules[row.name] = spec{fits: text, param: needsParam, message: row.message, describe: row.describe, check: row.check}
	}
	for _, row := range comparisons {
		rule := spec{
			fits: scalars | only(model.Time), ofText: true, param: true, fields: true, message: row.message, ofTimes: row.ofTimes,
			describe: comparedField(row.step),
		}
		if row.ofTimes != "" {
			rule.fits &^= only(model.Bool)
		}
		rules[row.name+"field"], rules[row.name+"csfield"] = rule, rule
	}
	rules[model.NotBefore] = spec{ // added by store.NoOverlap
		fits: numbers | only(model.Time, model.Text), param: true, fields: true, message: "must not be before {fields}", describe: describePeriod,
	}
	rules["fieldcontains"] = spec{fits: text, param: true, fields: true, message: "must contain {fields}", describe: comparedField(0)}
	rules["fieldexcludes"] = spec{fits: text, param: true, fields: true, message: "must not contain {fields}", describe: comparedField(-1)}
	rules["postcode_iso3166_alpha2_field"] = spec{fits: text, param: true, fields: true, message: "must be a postal code for the country in {fields}"}
	for name, message := range conditions {
		rules[name] = spec{fits: everyKind, param: true, fields: true, message: message, describe: marked("conditional")}
	}
	// Without these rows, rules that are not supported would hide others or access the server at every request.
	for name := range strings.FieldsSeq(touchServer) {
		rules[name] = spec{unsupported: "it would access the server's disk or network"}
	}
	rules["validateFn"] = spec{unsupported: "it calls methods of the value; use validation.Struct instead"}
	rules["skip_unless"] = spec{unsupported: "it would skip the other rules; use validation.Struct instead"}
	return rules
})

// kinds is a set of kinds of values, one bit for each.
type kinds uint

const (
	// everyKind is for rules that apply to any value, such as required.
	everyKind = ^kinds(0)
	numbers   = kinds(1<<model.Int | 1<<model.Uint | 1<<model.Float)
	// scalars are the kinds that Go and JSON compare alike.
	scalars = numbers | 1<<model.Bool | 1<<model.String
)

func only(list ...model.Kind) kinds {
	var set kinds
	for _, kind := range list {
		set |= 1 << kind
	}
	return set
}

func (k kinds) has(kind model.Kind) bool { return k&(1<<kind) != 0 }

// String lists the kinds as Go types.
func (k kinds) String() string {
	names := map[model.Kind]string{
		model.String: "a string", model.Int: "a signed integer", model.Uint: "an unsigned integer", model.Float: "a float", model.Bool: "a bool",
		model.Bytes: "a []byte", model.Time: "a time.Time", model.List: "a slice", model.Array: "an array", model.Map: "a map",
	}
	var allowed []string
	for kind := range model.Map + 1 {
		if names[kind] != "" && k.has(kind) {
			allowed = append(allowed, names[kind])
		}
	}
	return strings.Join(allowed, ", ")
}

package check

import (
	"maps"
	"strings"
	"unicode"
)

// textRules are the rules of texts. Those that the compiled check knows have it last; only
// validator can judge the others.
func textRules() map[string]spec {
	rules := make(map[string]spec, 200) // with those of other kinds
	for _, group := range []map[string]spec{
		characterRules(), webRules(), encodingRules(), identifierRules(), conventionRules(), textRulesWithParam(),
	} {
		maps.Copy(rules, group)
	}
	return rules
}

// characterRules are about what characters a text is made of.
func characterRules() map[string]spec {
	return map[string]spec{
		"notblank": text("must not be blank", notBlank, isNotBlank),
		"alpha":    text("must be letters only, a to z", matching("^[A-Za-z]+$", "abc"), madeOf(isLetter)),
		"alphaspace": text("must be letters and spaces only",
			matching("^[A-Za-z ]+$", "abc"), madeOf(func(r rune) bool { return isLetter(r) || r == ' ' })),
		"alphanum": text("must be letters and digits only", matching("^[0-9A-Za-z]+$", "abc1"), madeOf(isAlphanumeric)),
		"alphanumspace": text("must be letters, digits and spaces only",
			matching("^[0-9A-Za-z ]+$", "abc1"), madeOf(func(r rune) bool { return isAlphanumeric(r) || r == ' ' })),
		"alphaunicode": text("must be letters only", matching(`^\p{L}+$`, "abc"), madeOf(unicode.IsLetter)),
		"alphanumunicode": text("must be letters and digits only",
			matching(`^[\p{L}\p{N}]+$`, "abc1"), madeOf(func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) })),
		"ascii": text("must be ASCII characters only",
			matching(`^[\x01-\x7F]*$`, "abc"), func(s string) bool { return s == "" || madeOf(isASCII)(s) }),
		"printascii": text("must be printable ASCII characters only",
			matching(`^[\x20-\x7E]*$`, "abc"), func(s string) bool { return s == "" || madeOf(func(r rune) bool { return r >= ' ' && r <= '~' })(s) }),
		"multibyte": text("must have a character beyond ASCII",
			matching(`^$|[^\x00-\x7F]`, "日本語"), func(s string) bool { return s == "" || !madeOf(isASCII)(s) }),
		"boolean": text("must be a truth value, such as true or false",
			among("1", "t", "T", "true", "TRUE", "True", "0", "f", "F", "false", "FALSE", "False")),
		"numeric":     text("must be a number, in digits", matching(`^[-+]?[0-9]+(\.[0-9]+)?$`, "4.2"), isNumeric),
		"number":      text("must be digits only", matching("^[0-9]+$", "42"), madeOf(isDigit)),
		"hexadecimal": text("must be hexadecimal", matching("^(0[xX])?[0-9A-Fa-f]+$", "1f"), isHexadecimal),
		"lowercase":   text("must be in lower case", withNote(matching("^[^A-Z]+$", "abc"), "lowercase", "In lower case."), isLowerCase),
		"uppercase":   text("must be in upper case", withNote(matching("^[^a-z]+$", "ABC"), "uppercase", "In upper case."), isUpperCase),
	}
}

// webRules are about addresses and what is found at them.
// URLs are judged by few plain forms here; what else a URL may be, net/url is asked by validator.
func webRules() map[string]spec {
	return map[string]spec{
		"email": address("must be an e-mail address", formatted("email", "", "name@example.com"), judgeEmail),
		"url": address("must be a URL, such as https://example.com/",
			formatted("uri", "^[^:/?#]+:(//[^/?#]|[^/?#]|.*#.)|^[Ff][Ii][Ll][Ee]:/{1,3}[^/?#]", "https://example.com/page"), isURL("http://", "https://")),
		"http_url": address("must be a URL beginning with http:// or https://",
			formatted("uri", "^[Hh][Tt][Tt][Pp][Ss]?://[^/?#]", "https://example.com/page"), isURL("http://", "https://")),
		"https_url": address("must be a URL beginning with https://",
			formatted("uri", "^[Hh][Tt][Tt][Pp][Ss]://[^/?#]", "https://example.com/page"), isURL("https://")),
		"uri": text("must be a URI", formatted("uri-reference", `^(/|\*$|[A-Za-z][0-9A-Za-z+.-]*:)`, "https://example.com/page")),
		"origin": text("must be an origin, such as https://example.com",
			marked("origin", "An origin, such as https://example.com.", "https://example.com")),
		"urn_rfc2141": text("must be a URN", marked("urn", "A URN.", "urn:isbn:9783161484100")),
		"urn_rfc8141": text("must be a URN", marked("urn", "A URN.", "urn:isbn:9783161484100")),
		"ip":          text("must be an IP address", anyAddress),
		"ipv4":        text("must be an IPv4 address", formatted("ipv4", "", "192.0.2.1")),
		"ipv6":        text("must be an IPv6 address", formatted("ipv6", "", "2001:db8::1")),
		"cidr":        text("must be an IP network, such as 192.0.2.0/24", marked("cidr", "An IP network in CIDR notation.", "192.0.2.0/24")),
		"cidrv4":      text("must be an IPv4 network, such as 192.0.2.0/24", marked("cidr", "An IPv4 network in CIDR notation.", "192.0.2.0/24")),
		"cidrv6":      text("must be an IPv6 network, such as 2001:db8::/32", marked("cidr", "An IPv6 network in CIDR notation.", "2001:db8::/32")),
		"mac":         text("must be a MAC address", marked("mac", "A MAC address.", "00:00:5e:00:53:01")),
		"hostname": text("must be a host name",
			matching(`^[A-Za-z]([0-9A-Za-z-]{0,61}[0-9A-Za-z])?(\.[0-9A-Za-z]([0-9A-Za-z-]{0,61}[0-9A-Za-z])?)*$`, "www.example.com")),
		"hostname_rfc1123": text("must be a host name",
			matching(`^[0-9A-Za-z]([0-9A-Za-z-]{0,61}[0-9A-Za-z])?(\.[0-9A-Za-z]([0-9A-Za-z-]{0,61}[0-9A-Za-z])?)*$`, "www.example.com")),
		"hostname_label": text("must be one label of a host name", marked("dns-label", "A label of a host name.", "example")),
		"hostname_port": text("must be a host and a port, such as example.com:80",
			marked("hostname-port", "A host and a port.", "example.com:8080")),
		"dns_rfc1035_label": text("must be a label of the domain name system",
			marked("dns-label", "A label of the domain name system.", "example")),
		"fqdn": text("must be a whole domain name, such as www.example.com",
			matching(`^[0-9A-Za-z][0-9A-Za-z-]{0,62}(\.[0-9A-Za-z][0-9A-Za-z-]{0,62})*\.[A-Za-z][0-9A-Za-z-]{0,62}\.?$`, "www.example.com")),
		"html":         text("must have an HTML tag", marked("html", "Text with an HTML tag.", "<p>Text</p>")),
		"html_encoded": text("must be HTML character references", marked("html-encoded", "Character references of HTML.", "&#38;")),
		"url_encoded":  text("must be percent-encoded", matching("^([^%]|%[0-9A-Fa-f]{2})*$", "a%20b")),
		"jwt":          text("must be a JSON Web Token", matching(`^[0-9A-Za-z_-]+\.[0-9A-Za-z_-]+\.[0-9A-Za-z_-]*$`, "eyJhbGciOiJub25lIn0.e30.")),
	}
}

// encodingRules are about encodings and hashes.
// Hashes are told by their digits and their length, as there is nothing else to see in them.
func encodingRules() map[string]spec {
	return map[string]spec{
		"datauri": text("must be a data URI", marked("data-uri", "A data URI.", "data:text/plain;base64,aGVsbG8=")),
		"base32":  text("must be base32 text", marked("base32", "Text in Base32.", "NBSWY3DP")),
		"base64": text("must be base64 text",
			matching("^([0-9A-Za-z+/]{4})*([0-9A-Za-z+/]{2}==|[0-9A-Za-z+/]{3}=|[0-9A-Za-z+/]{4})$", "aGVsbG8=")),
		"base64url": text("must be base64url text",
			matching("^([0-9A-Za-z_-]{4})*([0-9A-Za-z_-]{2}==|[0-9A-Za-z_-]{3}=|[0-9A-Za-z_-]{4})$", "aGVsbG8=")),
		"base64rawurl": text("must be base64url text without padding", matching("^([0-9A-Za-z_-]{4})*[0-9A-Za-z_-]{2,4}$", "aGVsbG8")),
		"json":         text("must be JSON text", isJSON),
		"md4":          text("must be an MD4 hash, in hexadecimal", marked("md4", "An MD4 hash in hexadecimal.", digits(32))),
		"md5":          text("must be an MD5 hash, in hexadecimal", hexDigits(32)),
		"sha256":       text("must be a SHA-256 hash, in hexadecimal", hexDigits(64)),
		"sha384":       text("must be a SHA-384 hash, in hexadecimal", hexDigits(96)),
		"sha512":       text("must be a SHA-512 hash, in hexadecimal", hexDigits(128)),
		"ripemd128":    text("must be a RIPEMD-128 hash, in hexadecimal", marked("ripemd128", "A RIPEMD-128 hash in hexadecimal.", digits(32))),
		"ripemd160":    text("must be a RIPEMD-160 hash, in hexadecimal", marked("ripemd160", "A RIPEMD-160 hash in hexadecimal.", digits(40))),
		"tiger128":     text("must be a Tiger-128 hash, in hexadecimal", marked("tiger128", "A Tiger-128 hash in hexadecimal.", digits(32))),
		"tiger160":     text("must be a Tiger-160 hash, in hexadecimal", marked("tiger160", "A Tiger-160 hash in hexadecimal.", digits(40))),
		"tiger192":     text("must be a Tiger-192 hash, in hexadecimal", marked("tiger192", "A Tiger-192 hash in hexadecimal.", digits(48))),
	}
}

// identifierRules are about identifiers that somebody hands out.
// Check digits are validator's part; formats tell schemas what there is more than digits.
func identifierRules() map[string]spec {
	return map[string]spec{
		"semver":       text("must be a semantic version, such as 1.2.3", matching(semanticVersion, "1.2.3")),
		"uuid":         text("must be a UUID", formatted("uuid", "", "0f8fad5b-d9cb-469f-a165-70867728950e"), uuidOf(0, false)),
		"uuid3":        text("must be a UUID of version 3", uuidPattern("3", "0-9a-f", "a3bb189e-8bf9-3888-9912-ace4e6543002"), uuidOf('3', true)),
		"uuid4":        text("must be a UUID of version 4", uuidPattern("4", "89ab", "0f8fad5b-d9cb-469f-a165-70867728950e"), uuidOf('4', true)),
		"uuid5":        text("must be a UUID of version 5", uuidPattern("5", "89ab", "a6edc906-2f9f-5fb2-a373-efac406f0ef2"), uuidOf('5', true)),
		"uuid7":        text("must be a UUID of version 7", uuidPattern("7", "89ab", "01890a5d-ac96-774b-bcce-b302099a8057"), uuidOf('7', true)),
		"uuid_rfc4122": text("must be a UUID", formatted("uuid", "", "0f8fad5b-d9cb-469f-a165-70867728950e"), uuidOf(0, false)),
		"uuid3_rfc4122": text("must be a UUID of version 3",
			marked("uuid3", "A UUID of version 3.", "a3bb189e-8bf9-3888-9912-ace4e6543002"), uuidOf('3', false)),
		"uuid4_rfc4122": text("must be a UUID of version 4",
			marked("uuid4", "A UUID of version 4.", "0f8fad5b-d9cb-469f-a165-70867728950e"), uuidOf('4', false)),
		"uuid5_rfc4122": text("must be a UUID of version 5",
			marked("uuid5", "A UUID of version 5.", "a6edc906-2f9f-5fb2-a373-efac406f0ef2"), uuidOf('5', false)),
		"ulid":              text("must be a ULID", marked("ulid", "A ULID.", "01ARZ3NDEKTSV4RRFFQ69G5FAV")),
		"isbn":              text("must be an ISBN", marked("isbn", "An ISBN.", "9783161484100")),
		"isbn10":            text("must be an ISBN of 10 digits", marked("isbn", "An ISBN of ten digits.", "316148410X")),
		"isbn13":            text("must be an ISBN of 13 digits", marked("isbn", "An ISBN of thirteen digits.", "9783161484100")),
		"issn":              text("must be an ISSN", marked("issn", "An ISSN.", "2049-3630")),
		"ssn":               text("must be a social security number", marked("ssn", "A social security number of the United States.", "078-05-1120")),
		"ein":               text("must be an employer identification number", matching("^[0-9]{2}-[0-9]{7}$", "12-3456789")),
		"credit_card":       text("must be a payment card number", marked("credit-card", "The number of a credit card.", "4111111111111111")),
		"luhn_checksum":     text("must have a valid check digit", marked("luhn", "Digits that end in their Luhn checksum.", "79927398713")),
		"bic":               text("must be a bank identifier code", matching("^[0-9A-Z]{4}[A-Z]{2}[0-9A-Z]{2}([0-9A-Z]{3})?$", "DEUTDEFF")),
		"bic_iso_9362_2014": text("must be a bank identifier code", marked("bic", "A bank identifier code.", "DEUTDEFF")),
		"btc_addr":          text("must be a Bitcoin address", marked("btc-addr", "A Bitcoin address.", "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2")),
		"btc_addr_bech32": text("must be a Bitcoin address in Bech32",
			marked("btc-addr", "A Bitcoin address in Bech32.", "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4")),
		"eth_addr": text("must be an Ethereum address", matching("^0x[0-9A-Fa-f]{40}$", "0x52908400098527886e0f7030069857d2e4169ee7")),
		"eth_addr_checksum": text("must be an Ethereum address with its checksum",
			marked("eth-addr", "An Ethereum address with its checksum.", "0x52908400098527886E0F7030069857D2E4169EE7")),
		"cve":     text("must be a CVE identifier, such as CVE-2026-1234", marked("cve", "An identifier of CVE.", "CVE-2026-1234")),
		"mongodb": text("must be a MongoDB object id", hexDigits(24)),
		"mongodb_connection_string": text("must be a MongoDB connection string",
			marked("mongodb-uri", "A connection string of MongoDB.", "mongodb://localhost:27017")),
	}
}

// conventionRules are about places, languages, times and colours.
// Lists of countries and currencies are validator's: they change, and it is kept up with them.
func conventionRules() map[string]spec {
	return map[string]spec{
		"e164":         text("must be a phone number such as +4930901820", matching(`^\+?[1-9][0-9]{7,14}$`, "+14155552671"), isPhoneNumber),
		"cron":         text("must be a cron expression", marked("cron", "A cron expression.", "0 6 * * *")),
		"duration":     text("must be a duration, such as 1h30m", marked("go-duration", "A duration such as 1h30m.", "1h30m")),
		"timezone":     text("must be a time zone, such as Europe/Berlin", marked("timezone", "A name of the time zone database.", "Europe/Berlin")),
		"country_code": text("must be a country code", marked("country-code", "A country code of ISO 3166-1.", "DE")),
		"eu_country_code": text("must be the code of a country in the European Union",
			marked("country-code", "The code of a country in the European Union.", "DE")),
		"iso3166_1_alpha2": text("must be a country code of two letters",
			withNote(matching("^[A-Z]{2}$", "DE"), "country-code", "A country code of ISO 3166-1, two letters.")),
		"iso3166_1_alpha2_eu": text("must be the code, of two letters, of a country in the European Union",
			marked("country-code", "The code, of two letters, of a country in the European Union.", "DE")),
		"iso3166_1_alpha3": text("must be a country code of three letters",
			withNote(matching("^[A-Z]{3}$", "DEU"), "country-code", "A country code of ISO 3166-1, three letters.")),
		"iso3166_1_alpha3_eu": text("must be the code, of three letters, of a country in the European Union",
			marked("country-code", "The code, of three letters, of a country in the European Union.", "DEU")),
		"iso3166_1_alpha_numeric": text("must be a country code of three digits",
			marked("country-code", "A country code of ISO 3166-1, three digits.", "276")),
		"iso3166_1_alpha_numeric_eu": text("must be the code, of three digits, of a country in the European Union",
			marked("country-code", "The code, of three digits, of a country in the European Union.", "276")),
		"iso3166_2": text("must be the code of a country's subdivision, such as DE-BE",
			marked("subdivision-code", "The code of a country's subdivision in ISO 3166-2.", "DE-BE")),
		"iso4217": text("must be a currency code, such as EUR",
			withNote(matching("^[A-Z]{3}$", "EUR"), "currency-code", "A currency code of ISO 4217.")),
		"bcp47_language_tag":        text("must be a language tag, such as en-GB", marked("language-tag", "A language tag of BCP 47.", "en-GB")),
		"bcp47_strict_language_tag": text("must be a language tag, such as en-GB", marked("language-tag", "A language tag of BCP 47.", "en-GB")),
		"hexcolor": text("must be a colour such as #ff8800",
			matching("^#([0-9A-Fa-f]{3}|[0-9A-Fa-f]{4}|[0-9A-Fa-f]{6}|[0-9A-Fa-f]{8})$", "#336699"), isHexColour),
		"rgb": text("must be a colour such as rgb(255,136,0)", marked("rgb", "A colour such as rgb(255,136,0).", "rgb(255,136,0)")),
		"rgba": text("must be a colour such as rgba(255,136,0,0.5)",
			marked("rgba", "A colour such as rgba(255,136,0,0.5).", "rgba(255,136,0,0.5)")),
		"hsl": text("must be a colour such as hsl(32,100%,50%)", marked("hsl", "A colour such as hsl(32,100%,50%).", "hsl(32,100%,50%)")),
		"hsla": text("must be a colour such as hsla(32,100%,50%,0.5)",
			marked("hsla", "A colour such as hsla(32,100%,50%,0.5).", "hsla(32,100%,50%,0.5)")),
		"cmyk": text("must be a colour such as cmyk(0%,47%,100%,0%)",
			marked("cmyk", "A colour such as cmyk(0%,47%,100%,0%).", "cmyk(0%,47%,100%,0%)")),
		"iscolor": text("must be a colour, such as #ff8800", marked("color", "A colour, such as #ff8800.", "#ff8800")),
	}
}

// textRulesWithParam are the rules of strings that take a parameter.
func textRulesWithParam() map[string]spec {
	return map[string]spec{
		"startswith":              textWithParam("must begin with {param}", partOf(`^`, ``), withParam(strings.HasPrefix)),
		"startsnotwith":           textWithParam("must not begin with {param}", except(partOf(`^`, ``)), withoutParam(strings.HasPrefix)),
		"endswith":                textWithParam("must end with {param}", partOf(``, `$`), withParam(strings.HasSuffix)),
		"endsnotwith":             textWithParam("must not end with {param}", except(partOf(``, `$`)), withoutParam(strings.HasSuffix)),
		"contains":                textWithParam("must contain {param}", partOf(``, ``), withParam(strings.Contains)),
		"containsany":             textWithParam("must contain one of the characters {param}", anyCharacter, withParam(strings.ContainsAny)),
		"containsrune":            textWithParam("must contain the character {param}", partOf(``, ``), withParam(containsFirst)),
		"excludes":                textWithParam("must not contain {param}", except(partOf(``, ``)), withoutParam(strings.Contains)),
		"excludesall":             textWithParam("must contain none of the characters {param}", except(anyCharacter), withoutParam(strings.ContainsAny)),
		"excludesrune":            textWithParam("must not contain the character {param}", except(partOf(``, ``)), withoutParam(containsFirst)),
		"eq_ignore_case":          textWithParam("must be {param}, in any letter case", equalInAnyCase, withParam(strings.EqualFold)),
		"ne_ignore_case":          textWithParam("must not be {param}, in any letter case", except(equalInAnyCase), withoutParam(strings.EqualFold)),
		"datetime":                textWithParam("must be a date or time in the form {param}", dateTime, nil),
		"postcode_iso3166_alpha2": textWithParam("must be a postcode of {param}", postcode, nil),
		"spicedb":                 textWithParam("must be a SpiceDB {param}", marked("spicedb", "A name in SpiceDB.", "document", "view"), nil),
	}
}

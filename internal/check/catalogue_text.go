package check

import (
	"maps"
	"strings"
	"unicode"
)

// textRules returns the rules for strings. A rule without a check as its last argument is checked by validator.
func textRules() map[string]spec {
	rules := make(map[string]spec, 200) // including those of other kinds
	for _, group := range []map[string]spec{
		characterRules(), webRules(), encodingRules(), identifierRules(), conventionRules(), textRulesWithParam(),
	} {
		maps.Copy(rules, group)
	}
	return rules
}

// characterRules returns the rules about which characters a string contains.
func characterRules() map[string]spec {
	return map[string]spec{
		"notblank": text("must not be blank", notBlank, IsNotBlank),
		"alpha":    text("must contain only the letters A-Z and a-z", matching("^[A-Za-z]+$", "abc"), madeOf(isLetter)),
		"alphaspace": text("must contain only the letters A-Z and a-z, and spaces",
			matching("^[A-Za-z ]+$", "abc"), madeOf(func(r rune) bool { return isLetter(r) || r == ' ' })),
		"alphanum": text("must contain only the letters A-Z and a-z, and digits", matching("^[0-9A-Za-z]+$", "abc1"), madeOf(isAlphanumeric)),
		"alphanumspace": text("must contain only the letters A-Z and a-z, digits and spaces",
			matching("^[0-9A-Za-z ]+$", "abc1"), madeOf(func(r rune) bool { return isAlphanumeric(r) || r == ' ' })),
		"alphaunicode": text("must contain only letters", matching(`^\p{L}+$`, "abc"), madeOf(unicode.IsLetter)),
		"alphanumunicode": text("must contain only letters and digits",
			matching(`^[\p{L}\p{N}]+$`, "abc1"), madeOf(func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) })),
		"ascii": text("must contain only ASCII characters",
			matching(`^[\x01-\x7F]*$`, "abc"), func(s string) bool { return s == "" || madeOf(isASCII)(s) }),
		"printascii": text("must contain only printable ASCII characters",
			matching(`^[\x20-\x7E]*$`, "abc"), func(s string) bool { return s == "" || madeOf(func(r rune) bool { return r >= ' ' && r <= '~' })(s) }),
		"multibyte": text("must contain a non-ASCII character",
			matching(`^$|[^\x00-\x7F]`, "日本語"), func(s string) bool { return s == "" || !madeOf(isASCII)(s) }),
		"boolean": text("must be a boolean such as true or false",
			among("1", "t", "T", "true", "TRUE", "True", "0", "f", "F", "false", "FALSE", "False")),
		"numeric":     text("must be a number such as 4.2", matching(`^[-+]?[0-9]+(\.[0-9]+)?$`, "4.2"), isNumeric),
		"number":      text("must contain only digits", matching("^[0-9]+$", "42"), madeOf(isDigit)),
		"hexadecimal": text("must be a hexadecimal number", matching("^(0[xX])?[0-9A-Fa-f]+$", "1f"), isHexadecimal),
		"lowercase":   text("must be in lowercase", withNote(matching("^[^A-Z]+$", "abc"), "lowercase", "Must be in lowercase."), isLowerCase),
		"uppercase":   text("must be in uppercase", withNote(matching("^[^a-z]+$", "ABC"), "uppercase", "Must be in uppercase."), isUpperCase),
	}
}

// webRules returns the rules about URLs, hosts and networks. Only simple URLs are decided here; validator parses
// the others with net/url.
func webRules() map[string]spec {
	return map[string]spec{
		"email": partly("must be an email address", formatted("email", "", "name@example.com"), judgeEmail),
		"url": partly("must be a URL such as https://example.com/",
			formatted("uri", "^[^:/?#]+:(//[^/?#]|[^/?#]|.*#.)|^[Ff][Ii][Ll][Ee]:/{1,3}[^/?#]", "https://example.com/page"), isURL("http://", "https://")),
		"http_url": partly("must be a URL that starts with http:// or https://",
			formatted("uri", "^[Hh][Tt][Tt][Pp][Ss]?://[^/?#]", "https://example.com/page"), isURL("http://", "https://")),
		"https_url": partly("must be a URL that starts with https://",
			formatted("uri", "^[Hh][Tt][Tt][Pp][Ss]://[^/?#]", "https://example.com/page"), isURL("https://")),
		"uri": text("must be a URI", formatted("uri-reference", `^(/|\*$|[A-Za-z][0-9A-Za-z+.-]*:)`, "https://example.com/page")),
		"origin": text("must be an origin such as https://example.com",
			marked("origin", "Must be an origin such as https://example.com.", "https://example.com")),
		"urn_rfc2141": text("must be a URN such as urn:isbn:9783161484100", marked("urn", "Must be a URN.", "urn:isbn:9783161484100")),
		"urn_rfc8141": text("must be a URN such as urn:isbn:9783161484100", marked("urn", "Must be a URN.", "urn:isbn:9783161484100")),
		"ip":          text("must be an IP address", anyAddress),
		"ipv4":        text("must be an IPv4 address", formatted("ipv4", "", "192.0.2.1")),
		"ipv6":        text("must be an IPv6 address", formatted("ipv6", "", "2001:db8::1")),
		"cidr":        text("must be an IP network such as 192.0.2.0/24", marked("cidr", "Must be an IP network in CIDR notation.", "192.0.2.0/24")),
		"cidrv4":      text("must be an IPv4 network such as 192.0.2.0/24", marked("cidr", "Must be an IPv4 network in CIDR notation.", "192.0.2.0/24")),
		"cidrv6":      text("must be an IPv6 network such as 2001:db8::/32", marked("cidr", "Must be an IPv6 network in CIDR notation.", "2001:db8::/32")),
		"mac":         text("must be a MAC address", marked("mac", "Must be a MAC address.", "00:00:5e:00:53:01")),
		"hostname": text("must be a hostname",
			matching(`^[A-Za-z]([0-9A-Za-z-]{0,61}[0-9A-Za-z])?(\.[0-9A-Za-z]([0-9A-Za-z-]{0,61}[0-9A-Za-z])?)*$`, "www.example.com")),
		"hostname_rfc1123": text("must be a hostname",
			matching(`^[0-9A-Za-z]([0-9A-Za-z-]{0,61}[0-9A-Za-z])?(\.[0-9A-Za-z]([0-9A-Za-z-]{0,61}[0-9A-Za-z])?)*$`, "www.example.com")),
		"hostname_label": text("must be a hostname label", marked("dns-label", "Must be a hostname label.", "example")),
		"hostname_port": text("must be a host and port such as example.com:80",
			marked("hostname-port", "Must be a host and port such as example.com:80.", "example.com:8080")),
		"dns_rfc1035_label": text("must be a DNS label",
			marked("dns-label", "Must be a DNS label.", "example")),
		"fqdn": text("must be a fully qualified domain name such as www.example.com",
			matching(`^[0-9A-Za-z][0-9A-Za-z-]{0,62}(\.[0-9A-Za-z][0-9A-Za-z-]{0,62})*\.[A-Za-z][0-9A-Za-z-]{0,62}\.?$`, "www.example.com")),
		"html": text("must contain an HTML tag", marked("html", "Must contain an HTML tag.", "<p>Text</p>")),
		"html_encoded": text("must contain an HTML character reference such as &#38;",
			marked("html-encoded", "Must contain an HTML character reference such as &#38;.", "&#38;")),
		"url_encoded": text("must be percent-encoded", matching("^([^%]|%[0-9A-Fa-f]{2})*$", "a%20b")),
		"jwt":         text("must be a JSON Web Token", matching(`^[0-9A-Za-z_-]+\.[0-9A-Za-z_-]+\.[0-9A-Za-z_-]*$`, "eyJhbGciOiJub25lIn0.e30.")),
	}
}

// encodingRules returns the rules about encodings and hashes. A hash can only be recognized by its length and its
// digits.
func encodingRules() map[string]spec {
	return map[string]spec{
		"datauri": text("must be a data URI", marked("data-uri", "Must be a data URI.", "data:text/plain;base64,aGVsbG8=")),
		"base32":  text("must be a base32 string", marked("base32", "Must be a base32 string.", "NBSWY3DP")),
		"base64": text("must be a base64 string",
			matching("^([0-9A-Za-z+/]{4})*([0-9A-Za-z+/]{2}==|[0-9A-Za-z+/]{3}=|[0-9A-Za-z+/]{4})$", "aGVsbG8=")),
		"base64url": text("must be a base64url string",
			matching("^([0-9A-Za-z_-]{4})*([0-9A-Za-z_-]{2}==|[0-9A-Za-z_-]{3}=|[0-9A-Za-z_-]{4})$", "aGVsbG8=")),
		"base64rawurl": text("must be a base64url string without padding", matching("^([0-9A-Za-z_-]{4})*[0-9A-Za-z_-]{2,4}$", "aGVsbG8")),
		"json":         text("must contain valid JSON", isJSON),
		"md4":          text("must be an MD4 hash in hexadecimal", marked("md4", "Must be an MD4 hash in hexadecimal.", digits(32))),
		"md5":          text("must be an MD5 hash in hexadecimal", hexDigits(32)),
		"sha256":       text("must be a SHA-256 hash in hexadecimal", hexDigits(64)),
		"sha384":       text("must be a SHA-384 hash in hexadecimal", hexDigits(96)),
		"sha512":       text("must be a SHA-512 hash in hexadecimal", hexDigits(128)),
		"ripemd128":    text("must be a RIPEMD-128 hash in hexadecimal", marked("ripemd128", "Must be a RIPEMD-128 hash in hexadecimal.", digits(32))),
		"ripemd160":    text("must be a RIPEMD-160 hash in hexadecimal", marked("ripemd160", "Must be a RIPEMD-160 hash in hexadecimal.", digits(40))),
		"tiger128":     text("must be a Tiger-128 hash in hexadecimal", marked("tiger128", "Must be a Tiger-128 hash in hexadecimal.", digits(32))),
		"tiger160":     text("must be a Tiger-160 hash in hexadecimal", marked("tiger160", "Must be a Tiger-160 hash in hexadecimal.", digits(40))),
		"tiger192":     text("must be a Tiger-192 hash in hexadecimal", marked("tiger192", "Must be a Tiger-192 hash in hexadecimal.", digits(48))),
	}
}

// identifierRules returns the rules about identifiers. Validator verifies check digits; the schema has a format for
// them.
func identifierRules() map[string]spec {
	return map[string]spec{
		"semver":       text("must be a semantic version such as 1.2.3", matching(semanticVersion, "1.2.3")),
		"uuid":         text("must be a UUID", formatted("uuid", "", "0f8fad5b-d9cb-469f-a165-70867728950e"), uuidOf(0, false)),
		"uuid3":        text("must be a UUID of version 3", uuidPattern("3", "0-9a-f", "a3bb189e-8bf9-3888-9912-ace4e6543002"), uuidOf('3', true)),
		"uuid4":        text("must be a UUID of version 4", uuidPattern("4", "89ab", "0f8fad5b-d9cb-469f-a165-70867728950e"), uuidOf('4', true)),
		"uuid5":        text("must be a UUID of version 5", uuidPattern("5", "89ab", "a6edc906-2f9f-5fb2-a373-efac406f0ef2"), uuidOf('5', true)),
		"uuid7":        text("must be a UUID of version 7", uuidPattern("7", "89ab", "01890a5d-ac96-774b-bcce-b302099a8057"), uuidOf('7', true)),
		"uuid_rfc4122": text("must be a UUID", formatted("uuid", "", "0f8fad5b-d9cb-469f-a165-70867728950e"), uuidOf(0, false)),
		"uuid3_rfc4122": text("must be a UUID of version 3",
			marked("uuid3", "Must be a UUID of version 3.", "a3bb189e-8bf9-3888-9912-ace4e6543002"), uuidOf('3', false)),
		"uuid4_rfc4122": text("must be a UUID of version 4",
			marked("uuid4", "Must be a UUID of version 4.", "0f8fad5b-d9cb-469f-a165-70867728950e"), uuidOf('4', false)),
		"uuid5_rfc4122": text("must be a UUID of version 5",
			marked("uuid5", "Must be a UUID of version 5.", "a6edc906-2f9f-5fb2-a373-efac406f0ef2"), uuidOf('5', false)),
		"ulid":              text("must be a ULID", marked("ulid", "Must be a ULID.", "01ARZ3NDEKTSV4RRFFQ69G5FAV")),
		"isbn":              text("must be an ISBN", marked("isbn", "Must be an ISBN.", "9783161484100")),
		"isbn10":            text("must be a 10-digit ISBN", marked("isbn", "Must be a 10-digit ISBN.", "316148410X")),
		"isbn13":            text("must be a 13-digit ISBN", marked("isbn", "Must be a 13-digit ISBN.", "9783161484100")),
		"issn":              text("must be an ISSN", marked("issn", "Must be an ISSN.", "2049-3630")),
		"ssn":               text("must be a US social security number", marked("ssn", "Must be a US social security number.", "078-05-1120")),
		"ein":               text("must be a US employer identification number", matching("^[0-9]{2}-[0-9]{7}$", "12-3456789")),
		"credit_card":       text("must be a credit card number", marked("credit-card", "Must be a credit card number.", "4111111111111111")),
		"luhn_checksum":     text("must end in a valid Luhn check digit", marked("luhn", "Must end in a valid Luhn check digit.", "79927398713")),
		"bic":               text("must be a bank identifier code (BIC)", matching("^[0-9A-Z]{4}[A-Z]{2}[0-9A-Z]{2}([0-9A-Z]{3})?$", "DEUTDEFF")),
		"bic_iso_9362_2014": text("must be a bank identifier code (BIC)", marked("bic", "Must be a bank identifier code (BIC).", "DEUTDEFF")),
		"btc_addr":          text("must be a Bitcoin address", marked("btc-addr", "Must be a Bitcoin address.", "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2")),
		"btc_addr_bech32": text("must be a Bech32 Bitcoin address",
			marked("btc-addr", "Must be a Bech32 Bitcoin address.", "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4")),
		"eth_addr": text("must be an Ethereum address", matching("^0x[0-9A-Fa-f]{40}$", "0x52908400098527886e0f7030069857d2e4169ee7")),
		"eth_addr_checksum": text("must be an Ethereum address with a checksum",
			marked("eth-addr", "Must be an Ethereum address with a checksum.", "0x52908400098527886E0F7030069857D2E4169EE7")),
		"cve":     text("must be a CVE identifier such as CVE-2026-1234", marked("cve", "Must be a CVE identifier such as CVE-2026-1234.", "CVE-2026-1234")),
		"mongodb": text("must be a MongoDB ObjectID", hexDigits(24)),
		"mongodb_connection_string": text("must be a MongoDB connection string",
			marked("mongodb-uri", "Must be a MongoDB connection string.", "mongodb://localhost:27017")),
	}
}

// conventionRules returns the rules about places, languages, times and colours. Validator has the lists of
// countries and currencies, because they change.
func conventionRules() map[string]spec {
	return map[string]spec{
		"e164":         text("must be a phone number such as +4930901820", matching(`^\+?[1-9][0-9]{7,14}$`, "+14155552671"), isPhoneNumber),
		"cron":         text("must be a cron expression", marked("cron", "Must be a cron expression.", "0 6 * * *")),
		"duration":     text("must be a duration such as 1h30m", marked("go-duration", "Must be a duration such as 1h30m.", "1h30m")),
		"timezone":     text("must be a time zone such as Europe/Berlin", marked("timezone", "Must be a time zone such as Europe/Berlin.", "Europe/Berlin")),
		"country_code": text("must be an ISO 3166-1 country code", marked("country-code", "Must be an ISO 3166-1 country code.", "DE")),
		"eu_country_code": text("must be an EU country code",
			marked("country-code", "Must be an EU country code.", "DE")),
		"iso3166_1_alpha2": text("must be a two-letter country code such as DE",
			withNote(matching("^[A-Z]{2}$", "DE"), "country-code", "Must be a two-letter ISO 3166-1 country code.")),
		"iso3166_1_alpha2_eu": text("must be a two-letter EU country code",
			marked("country-code", "Must be a two-letter EU country code.", "DE")),
		"iso3166_1_alpha3": text("must be a three-letter country code such as DEU",
			withNote(matching("^[A-Z]{3}$", "DEU"), "country-code", "Must be a three-letter ISO 3166-1 country code.")),
		"iso3166_1_alpha3_eu": text("must be a three-letter EU country code",
			marked("country-code", "Must be a three-letter EU country code.", "DEU")),
		"iso3166_1_alpha_numeric": text("must be a three-digit country code such as 276",
			marked("country-code", "Must be a three-digit ISO 3166-1 country code.", "276")),
		"iso3166_1_alpha_numeric_eu": text("must be a three-digit EU country code",
			marked("country-code", "Must be a three-digit EU country code.", "276")),
		"iso3166_2": text("must be an ISO 3166-2 subdivision code such as DE-BE",
			marked("subdivision-code", "Must be an ISO 3166-2 subdivision code such as DE-BE.", "DE-BE")),
		"iso4217": text("must be a currency code such as EUR",
			withNote(matching("^[A-Z]{3}$", "EUR"), "currency-code", "Must be an ISO 4217 currency code.")),
		"bcp47_language_tag":        text("must be a language tag such as en-GB", marked("language-tag", "Must be a BCP 47 language tag.", "en-GB")),
		"bcp47_strict_language_tag": text("must be a language tag such as en-GB", marked("language-tag", "Must be a BCP 47 language tag.", "en-GB")),
		"hexcolor": text("must be a colour such as #ff8800",
			matching("^#([0-9A-Fa-f]{3}|[0-9A-Fa-f]{4}|[0-9A-Fa-f]{6}|[0-9A-Fa-f]{8})$", "#336699"), isHexColour),
		"rgb": text("must be a colour such as rgb(255,136,0)", marked("rgb", "Must be a colour such as rgb(255,136,0).", "rgb(255,136,0)")),
		"rgba": text("must be a colour such as rgba(255,136,0,0.5)",
			marked("rgba", "Must be a colour such as rgba(255,136,0,0.5).", "rgba(255,136,0,0.5)")),
		"hsl": text("must be a colour such as hsl(32,100%,50%)", marked("hsl", "Must be a colour such as hsl(32,100%,50%).", "hsl(32,100%,50%)")),
		"hsla": text("must be a colour such as hsla(32,100%,50%,0.5)",
			marked("hsla", "Must be a colour such as hsla(32,100%,50%,0.5).", "hsla(32,100%,50%,0.5)")),
		"cmyk": text("must be a colour such as cmyk(0%,47%,100%,0%)",
			marked("cmyk", "Must be a colour such as cmyk(0%,47%,100%,0%).", "cmyk(0%,47%,100%,0%)")),
		"iscolor": text("must be a colour such as #ff8800", marked("color", "Must be a colour such as #ff8800.", "#ff8800")),
	}
}

// textRulesWithParam returns the rules for strings that take a parameter.
func textRulesWithParam() map[string]spec {
	return map[string]spec{
		"startswith":              textWithParam(`must start with "{param}"`, partOf(`^`, ``), withParam(strings.HasPrefix)),
		"startsnotwith":           textWithParam(`must not start with "{param}"`, except(partOf(`^`, ``)), withoutParam(strings.HasPrefix)),
		"endswith":                textWithParam(`must end with "{param}"`, partOf(``, `$`), withParam(strings.HasSuffix)),
		"endsnotwith":             textWithParam(`must not end with "{param}"`, except(partOf(``, `$`)), withoutParam(strings.HasSuffix)),
		"contains":                textWithParam(`must contain "{param}"`, partOf(``, ``), withParam(strings.Contains)),
		"containsany":             textWithParam("must contain at least one of the characters {param}", anyCharacter, withParam(strings.ContainsAny)),
		"containsrune":            textWithParam("must contain the character {param}", partOf(``, ``), withParam(containsFirst)),
		"excludes":                textWithParam(`must not contain "{param}"`, except(partOf(``, ``)), withoutParam(strings.Contains)),
		"excludesall":             textWithParam("must not contain any of the characters {param}", except(anyCharacter), withoutParam(strings.ContainsAny)),
		"excludesrune":            textWithParam("must not contain the character {param}", except(partOf(``, ``)), withoutParam(containsFirst)),
		"eq_ignore_case":          textWithParam("must be {param} (case-insensitive)", equalInAnyCase, withParam(strings.EqualFold)),
		"ne_ignore_case":          textWithParam("must not be {param} (case-insensitive)", except(equalInAnyCase), withoutParam(strings.EqualFold)),
		"datetime":                textWithParam("must be a date or time in the format {param}", dateTime, nil),
		"postcode_iso3166_alpha2": textWithParam("must be a postal code for {param}", postcode, nil),
		"spicedb":                 textWithParam("must be a SpiceDB {param}", marked("spicedb", "Must be a SpiceDB name.", "document", "view"), nil),
	}
}

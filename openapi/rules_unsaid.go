package openapi

// unsaidTexts are the rules about texts that keywords cannot say, each with a format of our
// own, what it means, and texts that follow it.
var unsaidTexts = map[string]row{
	"bcp47_language_tag":        unsaidText("language-tag", "A language tag of BCP 47.", "en-GB"),
	"bcp47_strict_language_tag": unsaidText("language-tag", "A language tag of BCP 47.", "en-GB"),
	"cidr":                      unsaidText("cidr", "An IP network in CIDR notation.", "192.0.2.0/24"),
	"cidrv4":                    unsaidText("cidr", "An IPv4 network in CIDR notation.", "192.0.2.0/24"),
	"cidrv6":                    unsaidText("cidr", "An IPv6 network in CIDR notation.", "2001:db8::/32"),
	"credit_card":               unsaidText("credit-card", "The number of a credit card.", "4111111111111111"),
	"cron":                      unsaidText("cron", "A cron expression.", "0 6 * * *"),
	"datauri":                   unsaidText("data-uri", "A data URI.", "data:text/plain;base64,aGVsbG8="),
	"dns_rfc1035_label":         unsaidText("dns-label", "A label of the domain name system.", "example"),
	"duration":                  unsaidText("go-duration", "A duration such as 1h30m.", "1h30m"),
	"hostname_label":            unsaidText("dns-label", "A label of a host name.", "example"),
	"hostname_port":             unsaidText("hostname-port", "A host and a port.", "example.com:8080"),
	"luhn_checksum":             unsaidText("luhn", "Digits that end in their Luhn checksum.", "79927398713"),
	"mac":                       unsaidText("mac", "A MAC address.", "00:00:5e:00:53:01"),
	"mongodb_connection_string": unsaidText("mongodb-uri", "A connection string of MongoDB.", "mongodb://localhost:27017"),
	"origin":                    unsaidText("origin", "An origin, such as https://example.com.", "https://example.com"),
	"timezone":                  unsaidText("timezone", "A name of the time zone database.", "Europe/Berlin"),
	"urn_rfc2141":               unsaidText("urn", "A URN.", "urn:isbn:9783161484100"),
	"urn_rfc8141":               unsaidText("urn", "A URN.", "urn:isbn:9783161484100"),

	"base32":       unsaidText("base32", "Text in Base32.", "NBSWY3DP"),
	"html":         unsaidText("html", "Text with an HTML tag.", "<p>Text</p>"),
	"html_encoded": unsaidText("html-encoded", "Character references of HTML.", "&#38;"),
	"md4":          unsaidText("md4", "An MD4 hash in hexadecimal.", digits(32)),
	"ripemd128":    unsaidText("ripemd128", "A RIPEMD-128 hash in hexadecimal.", digits(32)),
	"ripemd160":    unsaidText("ripemd160", "A RIPEMD-160 hash in hexadecimal.", digits(40)),
	"tiger128":     unsaidText("tiger128", "A Tiger-128 hash in hexadecimal.", digits(32)),
	"tiger160":     unsaidText("tiger160", "A Tiger-160 hash in hexadecimal.", digits(40)),
	"tiger192":     unsaidText("tiger192", "A Tiger-192 hash in hexadecimal.", digits(48)),

	"cve":               unsaidText("cve", "An identifier of CVE.", "CVE-2026-1234"),
	"isbn":              unsaidText("isbn", "An ISBN.", "9783161484100"),
	"isbn10":            unsaidText("isbn", "An ISBN of ten digits.", "316148410X"),
	"isbn13":            unsaidText("isbn", "An ISBN of thirteen digits.", "9783161484100"),
	"issn":              unsaidText("issn", "An ISSN.", "2049-3630"),
	"ssn":               unsaidText("ssn", "A social security number of the United States.", "078-05-1120"),
	"ulid":              unsaidText("ulid", "A ULID.", "01ARZ3NDEKTSV4RRFFQ69G5FAV"),
	"uuid3_rfc4122":     unsaidText("uuid3", "A UUID of version 3.", "a3bb189e-8bf9-3888-9912-ace4e6543002"),
	"uuid4_rfc4122":     unsaidText("uuid4", "A UUID of version 4.", "0f8fad5b-d9cb-469f-a165-70867728950e"),
	"uuid5_rfc4122":     unsaidText("uuid5", "A UUID of version 5.", "a6edc906-2f9f-5fb2-a373-efac406f0ef2"),
	"spicedb":           unsaidText("spicedb", "A name in SpiceDB.", "document", "view"),
	"bic_iso_9362_2014": unsaidText("bic", "A bank identifier code.", "DEUTDEFF"),
	"btc_addr":          unsaidText("btc-addr", "A Bitcoin address.", "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2"),
	"btc_addr_bech32":   unsaidText("btc-addr", "A Bitcoin address in Bech32.", "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"),
	"eth_addr_checksum": unsaidText("eth-addr", "An Ethereum address with its checksum.", "0x52908400098527886E0F7030069857D2E4169EE7"),

	"country_code":               unsaidText("country-code", "A country code of ISO 3166-1.", "DE"),
	"eu_country_code":            unsaidText("country-code", "The code of a country in the European Union.", "DE"),
	"iso3166_1_alpha2_eu":        unsaidText("country-code", "The code, of two letters, of a country in the European Union.", "DE"),
	"iso3166_1_alpha3_eu":        unsaidText("country-code", "The code, of three letters, of a country in the European Union.", "DEU"),
	"iso3166_1_alpha_numeric":    unsaidText("country-code", "A country code of ISO 3166-1, three digits.", "276"),
	"iso3166_1_alpha_numeric_eu": unsaidText("country-code", "The code, of three digits, of a country in the European Union.", "276"),
	"iso3166_2":                  unsaidText("subdivision-code", "The code of a country's subdivision in ISO 3166-2.", "DE-BE"),
	"postcode_iso3166_alpha2":    postcode,

	"rgb":     unsaidText("rgb", "A colour such as rgb(255,136,0).", "rgb(255,136,0)"),
	"rgba":    unsaidText("rgba", "A colour such as rgba(255,136,0,0.5).", "rgba(255,136,0,0.5)"),
	"hsl":     unsaidText("hsl", "A colour such as hsl(32,100%,50%).", "hsl(32,100%,50%)"),
	"hsla":    unsaidText("hsla", "A colour such as hsla(32,100%,50%,0.5).", "hsla(32,100%,50%,0.5)"),
	"cmyk":    unsaidText("cmyk", "A colour such as cmyk(0%,47%,100%,0%).", "cmyk(0%,47%,100%,0%)"),
	"iscolor": unsaidText("color", "A colour, such as #ff8800.", "#ff8800"),
}

// unsaidText returns the row of a rule that keywords cannot say.
func unsaidText(format, sentence string, samples ...any) row {
	return func(ruled) statement { return statement{format: format, sentence: sentence, samples: samples} }
}

// postcode suggests texts in the forms that most countries have.
func postcode(r ruled) statement {
	return statement{
		format: "postcode", sentence: "A postcode of " + r.param + ".",
		samples: []any{
			"10115", "1010", "101000", "1010101", "101", "12345-678", "100-0001", "10-100", "101 15", "SW1A 1AA", "K1A 0B1", "1012 AB", "AD100", "LV-1010", "LT-01100",
		},
	}
}

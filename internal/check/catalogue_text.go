package check

import "maps"

// textRules are the rules of strings that take no parameter, with what follows the
// field's name in their message.
func textRules() map[string]string {
	rules := map[string]string{}
	for _, group := range []map[string]string{
		characterRules(), webRules(), encodingRules(), identifierRules(), conventionRules(),
	} {
		maps.Copy(rules, group)
	}
	return rules
}

// characterRules are about what characters a text is made of.
func characterRules() map[string]string {
	return map[string]string{
		"notblank":        "must not be blank",
		"alpha":           "must be letters only, a to z",
		"alphaspace":      "must be letters and spaces only",
		"alphanum":        "must be letters and digits only",
		"alphanumspace":   "must be letters, digits and spaces only",
		"alphaunicode":    "must be letters only",
		"alphanumunicode": "must be letters and digits only",
		"ascii":           "must be ASCII characters only",
		"printascii":      "must be printable ASCII characters only",
		"multibyte":       "must have a character beyond ASCII",
		"boolean":         "must be a truth value, such as true or false",
		"numeric":         "must be a number, in digits",
		"number":          "must be digits only",
		"hexadecimal":     "must be hexadecimal",
		"lowercase":       "must be in lower case",
		"uppercase":       "must be in upper case",
	}
}

// webRules are about addresses and what is found at them.
func webRules() map[string]string {
	return map[string]string{
		"email":             "must be an e-mail address",
		"url":               "must be a URL, such as https://example.com/",
		"http_url":          "must be a URL beginning with http:// or https://",
		"https_url":         "must be a URL beginning with https://",
		"uri":               "must be a URI",
		"origin":            "must be an origin, such as https://example.com",
		"urn_rfc2141":       "must be a URN",
		"urn_rfc8141":       "must be a URN",
		"ip":                "must be an IP address",
		"ipv4":              "must be an IPv4 address",
		"ipv6":              "must be an IPv6 address",
		"cidr":              "must be an IP network, such as 192.0.2.0/24",
		"cidrv4":            "must be an IPv4 network, such as 192.0.2.0/24",
		"cidrv6":            "must be an IPv6 network, such as 2001:db8::/32",
		"mac":               "must be a MAC address",
		"hostname":          "must be a host name",
		"hostname_rfc1123":  "must be a host name",
		"hostname_label":    "must be one label of a host name",
		"hostname_port":     "must be a host and a port, such as example.com:80",
		"dns_rfc1035_label": "must be a label of the domain name system",
		"fqdn":              "must be a whole domain name, such as www.example.com",
		"html":              "must have an HTML tag",
		"html_encoded":      "must be HTML character references",
		"url_encoded":       "must be percent-encoded",
		"jwt":               "must be a JSON Web Token",
	}
}

// encodingRules are about encodings and hashes.
func encodingRules() map[string]string {
	return map[string]string{
		"datauri":      "must be a data URI",
		"base32":       "must be base32 text",
		"base64":       "must be base64 text",
		"base64url":    "must be base64url text",
		"base64rawurl": "must be base64url text without padding",
		"json":         "must be JSON text",
		"md4":          "must be an MD4 hash, in hexadecimal",
		"md5":          "must be an MD5 hash, in hexadecimal",
		"sha256":       "must be a SHA-256 hash, in hexadecimal",
		"sha384":       "must be a SHA-384 hash, in hexadecimal",
		"sha512":       "must be a SHA-512 hash, in hexadecimal",
		"ripemd128":    "must be a RIPEMD-128 hash, in hexadecimal",
		"ripemd160":    "must be a RIPEMD-160 hash, in hexadecimal",
		"tiger128":     "must be a Tiger-128 hash, in hexadecimal",
		"tiger160":     "must be a Tiger-160 hash, in hexadecimal",
		"tiger192":     "must be a Tiger-192 hash, in hexadecimal",
	}
}

// identifierRules are about identifiers that somebody hands out.
func identifierRules() map[string]string {
	return map[string]string{
		"semver":                    "must be a semantic version, such as 1.2.3",
		"uuid":                      "must be a UUID",
		"uuid3":                     "must be a UUID of version 3",
		"uuid4":                     "must be a UUID of version 4",
		"uuid5":                     "must be a UUID of version 5",
		"uuid7":                     "must be a UUID of version 7",
		"uuid_rfc4122":              "must be a UUID",
		"uuid3_rfc4122":             "must be a UUID of version 3",
		"uuid4_rfc4122":             "must be a UUID of version 4",
		"uuid5_rfc4122":             "must be a UUID of version 5",
		"ulid":                      "must be a ULID",
		"isbn":                      "must be an ISBN",
		"isbn10":                    "must be an ISBN of 10 digits",
		"isbn13":                    "must be an ISBN of 13 digits",
		"issn":                      "must be an ISSN",
		"ssn":                       "must be a social security number",
		"ein":                       "must be an employer identification number",
		"credit_card":               "must be a payment card number",
		"luhn_checksum":             "must have a valid check digit",
		"bic":                       "must be a bank identifier code",
		"bic_iso_9362_2014":         "must be a bank identifier code",
		"btc_addr":                  "must be a Bitcoin address",
		"btc_addr_bech32":           "must be a Bitcoin address in Bech32",
		"eth_addr":                  "must be an Ethereum address",
		"eth_addr_checksum":         "must be an Ethereum address with its checksum",
		"cve":                       "must be a CVE identifier, such as CVE-2026-1234",
		"mongodb":                   "must be a MongoDB object id",
		"mongodb_connection_string": "must be a MongoDB connection string",
	}
}

// conventionRules are about places, languages, times and colours.
func conventionRules() map[string]string {
	return map[string]string{
		"e164":                       "must be a phone number such as +4930901820",
		"cron":                       "must be a cron expression",
		"duration":                   "must be a duration, such as 1h30m",
		"timezone":                   "must be a time zone, such as Europe/Berlin",
		"country_code":               "must be a country code",
		"eu_country_code":            "must be the code of a country in the European Union",
		"iso3166_1_alpha2":           "must be a country code of two letters",
		"iso3166_1_alpha2_eu":        "must be the code, of two letters, of a country in the European Union",
		"iso3166_1_alpha3":           "must be a country code of three letters",
		"iso3166_1_alpha3_eu":        "must be the code, of three letters, of a country in the European Union",
		"iso3166_1_alpha_numeric":    "must be a country code of three digits",
		"iso3166_1_alpha_numeric_eu": "must be the code, of three digits, of a country in the European Union",
		"iso3166_2":                  "must be the code of a country's subdivision, such as DE-BE",
		"iso4217":                    "must be a currency code, such as EUR",
		"bcp47_language_tag":         "must be a language tag, such as en-GB",
		"bcp47_strict_language_tag":  "must be a language tag, such as en-GB",
		"hexcolor":                   "must be a colour such as #ff8800",
		"rgb":                        "must be a colour such as rgb(255,136,0)",
		"rgba":                       "must be a colour such as rgba(255,136,0,0.5)",
		"hsl":                        "must be a colour such as hsl(32,100%,50%)",
		"hsla":                       "must be a colour such as hsla(32,100%,50%,0.5)",
		"cmyk":                       "must be a colour such as cmyk(0%,47%,100%,0%)",
		"iscolor":                    "must be a colour, such as #ff8800",
	}
}

// textRulesWithParam are the rules of strings that take a parameter.
func textRulesWithParam() map[string]string {
	return map[string]string{
		"startswith":              "must begin with {param}",
		"startsnotwith":           "must not begin with {param}",
		"endswith":                "must end with {param}",
		"endsnotwith":             "must not end with {param}",
		"contains":                "must contain {param}",
		"containsany":             "must contain one of the characters {param}",
		"containsrune":            "must contain the character {param}",
		"excludes":                "must not contain {param}",
		"excludesall":             "must contain none of the characters {param}",
		"excludesrune":            "must not contain the character {param}",
		"eq_ignore_case":          "must be {param}, in any letter case",
		"ne_ignore_case":          "must not be {param}, in any letter case",
		"datetime":                "must be a date or time in the form {param}",
		"postcode_iso3166_alpha2": "must be a postcode of {param}",
		"spicedb":                 "must be a SpiceDB {param}",
	}
}

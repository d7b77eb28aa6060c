package openapi

import (
	"regexp"
	"strconv"
	"strings"
	"unicode"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/trove-api/trove/internal/check"
)

// blanks are the characters that are white space in Unicode. Schemas have no class for
// them that every dialect of regular expressions reads alike, so they stand there one by
// one.
const blanks = `\t\n\v\f\r ` + "\u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"

// textRules are the rules about texts alone.
var textRules = map[string]row{
	"notblank":        notBlank,
	"number":          matching("^[0-9]+$", "42"),
	"numeric":         matching(`^[-+]?[0-9]+(\.[0-9]+)?$`, "4.2"),
	"alpha":           matching("^[A-Za-z]+$", "abc"),
	"alphaspace":      matching("^[A-Za-z ]+$", "abc"),
	"alphanum":        matching("^[0-9A-Za-z]+$", "abc1"),
	"alphanumspace":   matching("^[0-9A-Za-z ]+$", "abc1"),
	"alphaunicode":    matching(`^\p{L}+$`, "abc"),
	"alphanumunicode": matching(`^[\p{L}\p{N}]+$`, "abc1"),
	"ascii":           matching(`^[\x01-\x7F]*$`, "abc"),
	"printascii":      matching(`^[\x20-\x7E]*$`, "abc"),
	"multibyte":       matching(`^$|[^\x00-\x7F]`, "日本語"),
	"lowercase":       also(matching("^[^A-Z]+$", "abc"), "lowercase", "In lower case."),
	"uppercase":       also(matching("^[^a-z]+$", "ABC"), "uppercase", "In upper case."),
	"hexadecimal":     matching("^(0[xX])?[0-9A-Fa-f]+$", "1f"),
	"hexcolor":        matching("^#([0-9A-Fa-f]{3}|[0-9A-Fa-f]{4}|[0-9A-Fa-f]{6}|[0-9A-Fa-f]{8})$", "#336699"),
	"boolean":         among("1", "t", "T", "true", "TRUE", "True", "0", "f", "F", "false", "FALSE", "False"),

	"oneofci":        oneOfAnyCase,
	"noneofci":       except(oneOfAnyCase),
	"eq_ignore_case": equalInAnyCase,
	"ne_ignore_case": except(equalInAnyCase),

	"startswith":    around(`^`, ``),
	"endswith":      around(``, `$`),
	"contains":      around(``, ``),
	"containsrune":  around(``, ``),
	"startsnotwith": except(around(`^`, ``)),
	"endsnotwith":   except(around(``, `$`)),
	"excludes":      except(around(``, ``)),
	"excludesrune":  except(around(``, ``)),
	"containsany":   anyCharacter,
	"excludesall":   except(anyCharacter),

	"email":     formatted("email", "", "name@example.com"),
	"uri":       formatted("uri-reference", `^(/|\*$|[A-Za-z][0-9A-Za-z+.-]*:)`, "https://example.com/page"),
	"url":       formatted("uri", "^[^:/?#]+:(//[^/?#]|[^/?#]|.*#.)|^[Ff][Ii][Ll][Ee]:/{1,3}[^/?#]", "https://example.com/page"),
	"http_url":  formatted("uri", "^[Hh][Tt][Tt][Pp][Ss]?://[^/?#]", "https://example.com/page"),
	"https_url": formatted("uri", "^[Hh][Tt][Tt][Pp][Ss]://[^/?#]", "https://example.com/page"),
	"ipv4":      formatted("ipv4", "", "192.0.2.1"),
	"ipv6":      formatted("ipv6", "", "2001:db8::1"),
	"ip":        address,
	"datetime":  dateTime,
	"json":      isJSON,

	"hostname": matching(
		`^[A-Za-z]([0-9A-Za-z-]{0,61}[0-9A-Za-z])?(\.[0-9A-Za-z]([0-9A-Za-z-]{0,61}[0-9A-Za-z])?)*$`, "www.example.com",
	),
	"hostname_rfc1123": matching(
		`^[0-9A-Za-z]([0-9A-Za-z-]{0,61}[0-9A-Za-z])?(\.[0-9A-Za-z]([0-9A-Za-z-]{0,61}[0-9A-Za-z])?)*$`, "www.example.com",
	),
	"fqdn": matching(
		`^[0-9A-Za-z][0-9A-Za-z-]{0,62}(\.[0-9A-Za-z][0-9A-Za-z-]{0,62})*\.[A-Za-z][0-9A-Za-z-]{0,62}\.?$`, "www.example.com",
	),

	"uuid":         formatted("uuid", "", "0f8fad5b-d9cb-469f-a165-70867728950e"),
	"uuid3":        uuid("3", "0-9a-f", "a3bb189e-8bf9-3888-9912-ace4e6543002"),
	"uuid4":        uuid("4", "89ab", "0f8fad5b-d9cb-469f-a165-70867728950e"),
	"uuid5":        uuid("5", "89ab", "a6edc906-2f9f-5fb2-a373-efac406f0ef2"),
	"uuid7":        uuid("7", "89ab", "01890a5d-ac96-774b-bcce-b302099a8057"),
	"uuid_rfc4122": formatted("uuid", "", "0f8fad5b-d9cb-469f-a165-70867728950e"),

	"e164":         matching(`^\+?[1-9][0-9]{7,14}$`, "+14155552671"),
	"semver":       matching(semanticVersion, "1.2.3"),
	"jwt":          matching(`^[0-9A-Za-z_-]+\.[0-9A-Za-z_-]+\.[0-9A-Za-z_-]*$`, "eyJhbGciOiJub25lIn0.e30."),
	"base64":       matching("^([0-9A-Za-z+/]{4})*([0-9A-Za-z+/]{2}==|[0-9A-Za-z+/]{3}=|[0-9A-Za-z+/]{4})$", "aGVsbG8="),
	"base64url":    matching("^([0-9A-Za-z_-]{4})*([0-9A-Za-z_-]{2}==|[0-9A-Za-z_-]{3}=|[0-9A-Za-z_-]{4})$", "aGVsbG8="),
	"base64rawurl": matching("^([0-9A-Za-z_-]{4})*[0-9A-Za-z_-]{2,4}$", "aGVsbG8"),
	"md5":          hexDigits(32),
	"sha256":       hexDigits(64),
	"sha384":       hexDigits(96),
	"sha512":       hexDigits(128),
	"mongodb":      hexDigits(24),
	"eth_addr":     matching("^0x[0-9A-Fa-f]{40}$", "0x52908400098527886e0f7030069857d2e4169ee7"),
	"bic":          matching("^[0-9A-Z]{4}[A-Z]{2}[0-9A-Z]{2}([0-9A-Z]{3})?$", "DEUTDEFF"),
	"ein":          matching("^[0-9]{2}-[0-9]{7}$", "12-3456789"),
	"url_encoded":  matching("^([^%]|%[0-9A-Fa-f]{2})*$", "a%20b"),

	"iso3166_1_alpha2": also(matching("^[A-Z]{2}$", "DE"), "country-code", "A country code of ISO 3166-1, two letters."),
	"iso3166_1_alpha3": also(matching("^[A-Z]{3}$", "DEU"), "country-code", "A country code of ISO 3166-1, three letters."),
	"iso4217":          also(matching("^[A-Z]{3}$", "EUR"), "currency-code", "A currency code of ISO 4217."),
}

const semanticVersion = `^(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)` +
	`(-(0|[1-9][0-9]*|[0-9]*[A-Za-z-][0-9A-Za-z-]*)(\.(0|[1-9][0-9]*|[0-9]*[A-Za-z-][0-9A-Za-z-]*))*)?` +
	`(\+[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*)?$`

func notBlank(ruled) statement {
	return statement{keywords: &openapi3.Schema{MinLength: 1, Pattern: "[^" + blanks + "]"}}
}

// matching returns the row of a rule that a regular expression says in full. It is
// written in what Go and ECMA-262 read alike.
func matching(pattern string, samples ...any) row {
	return func(ruled) statement {
		return statement{keywords: &openapi3.Schema{Pattern: pattern}, samples: samples}
	}
}

// formatted returns the row of a rule that a format says, together with a pattern unless
// that is empty.
func formatted(format, pattern, sample string) row {
	return func(ruled) statement {
		return statement{keywords: &openapi3.Schema{Format: format, Pattern: pattern}, samples: []any{sample}}
	}
}

// also returns a row that says more of the rule than its keywords.
func also(say row, format, sentence string) row {
	return func(r ruled) statement {
		st := say(r)
		st.format, st.sentence = format, sentence
		return st
	}
}

// except returns the row of a rule that refuses what the other one asks for.
func except(say row) row {
	return func(r ruled) statement {
		return statement{keywords: &openapi3.Schema{Not: openapi3.NewSchemaRef("", say(r).keywords)}}
	}
}

// around returns the row of a rule about the parameter as part of the text.
func around(before, after string) row {
	return func(r ruled) statement {
		sample := r.param
		switch {
		case before != "":
			sample += "abc"
		case after != "":
			sample = "abc" + sample
		}
		return matching(before+regexp.QuoteMeta(r.param)+after, sample)(r)
	}
}

// anyCharacter says that the text has one of the parameter's characters.
func anyCharacter(r ruled) statement {
	class := strings.NewReplacer(`\`, `\\`, `]`, `\]`, `[`, `\[`, `^`, `\^`, `-`, `\-`).Replace(r.param)
	return matching("["+class+"]", r.param)(r)
}

// among returns the row of a rule with a fixed list of texts.
func among(texts ...any) row {
	return func(ruled) statement { return statement{keywords: &openapi3.Schema{Enum: texts}} }
}

func uuid(version, variants, sample string) row {
	return formatted("uuid", "^[0-9a-f]{8}-[0-9a-f]{4}-"+version+"[0-9a-f]{3}-["+variants+"][0-9a-f]{3}-[0-9a-f]{12}$", sample)
}

func hexDigits(count int) row {
	return matching("^[0-9a-f]{"+strconv.Itoa(count)+"}$", digits(count))
}

// digits returns hexadecimal digits, as a hash is written.
func digits(count int) string { return strings.Repeat("1f", count/2) }

func address(ruled) statement {
	either := openapi3.SchemaRefs{
		openapi3.NewSchemaRef("", &openapi3.Schema{Format: "ipv4"}),
		openapi3.NewSchemaRef("", &openapi3.Schema{Format: "ipv6"}),
	}
	return statement{keywords: &openapi3.Schema{AnyOf: either}, samples: []any{"192.0.2.1"}}
}

// dateTime says a layout of package time where a format means the same.
func dateTime(r ruled) statement {
	switch r.param {
	case "2006-01-02":
		return formatted("date", "", "2026-01-15")(r)
	case "2006-01-02T15:04:05Z07:00":
		return formatted("date-time", "", "2026-01-15T09:30:00Z")(r)
	}
	return statement{format: "layout", sentence: "A date or time written like " + r.param + ".", samples: []any{r.param}}
}

func isJSON(ruled) statement {
	return statement{
		keywords: &openapi3.Schema{ContentMediaType: "application/json"},
		format:   "json", sentence: "JSON as text.", samples: []any{"{}"},
	}
}

func oneOfAnyCase(r ruled) statement {
	list := check.Words(r.param)
	patterns := make([]string, len(list))
	for i, choice := range list {
		patterns[i] = foldedPattern(choice)
	}
	return matching("^("+strings.Join(patterns, "|")+")$", asAny(list)...)(r)
}

func equalInAnyCase(r ruled) statement {
	return matching("^"+foldedPattern(r.param)+"$", r.param)(r)
}

// foldedPattern returns a pattern for text in any case: regular expressions in schemas
// have no flag for it.
func foldedPattern(text string) string {
	var b strings.Builder
	for _, r := range text {
		others := unicode.SimpleFold(r)
		if others == r {
			b.WriteString(regexp.QuoteMeta(string(r)))
			continue
		}
		b.WriteString("[" + string(r))
		for ; others != r; others = unicode.SimpleFold(others) {
			b.WriteRune(others)
		}
		b.WriteString("]")
	}
	return b.String()
}

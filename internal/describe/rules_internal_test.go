package describe

import (
	"slices"
	"strings"
	"testing"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/model"
)

// validatorRules lists the rules of validator that strings may have. Rules that access the disk or network of the
// server are rejected before a document is built.
const validatorRules = `required len min max eq ne lt lte gt gte oneof noneof oneofci noneofci eq_ignore_case ne_ignore_case isdefault
eqfield nefield gtfield gtefield ltfield ltefield eqcsfield necsfield gtcsfield gtecsfield ltcsfield ltecsfield fieldcontains fieldexcludes
required_if required_unless required_with required_with_all required_without required_without_all
excluded_if excluded_unless excluded_with excluded_with_all excluded_without excluded_without_all
notblank alpha alphaspace alphanum alphanumspace alphaunicode alphanumunicode boolean numeric number hexadecimal hexcolor rgb rgba hsl hsla cmyk iscolor
e164 email url http_url https_url uri origin urn_rfc8141 urn_rfc2141 base32 base64 base64url base64rawurl contains containsany containsrune
excludes excludesall excludesrune startswith endswith startsnotwith endsnotwith isbn isbn10 isbn13 issn eth_addr eth_addr_checksum btc_addr
btc_addr_bech32 uuid uuid3 uuid4 uuid5 uuid7 uuid_rfc4122 uuid3_rfc4122 uuid4_rfc4122 uuid5_rfc4122 ulid md4 md5 sha256 sha384 sha512
ripemd128 ripemd160 tiger128 tiger160 tiger192 ascii printascii multibyte datauri latitude longitude ssn ipv4 ipv6 ip cidrv4 cidrv6 cidr mac
hostname hostname_rfc1123 hostname_label hostname_port fqdn html html_encoded url_encoded json jwt lowercase uppercase datetime timezone
iso3166_1_alpha2 iso3166_1_alpha2_eu iso3166_1_alpha3 iso3166_1_alpha3_eu iso3166_1_alpha_numeric iso3166_1_alpha_numeric_eu iso3166_2 iso4217
iso4217_numeric country_code eu_country_code bcp47_language_tag bcp47_strict_language_tag postcode_iso3166_alpha2 postcode_iso3166_alpha2_field
bic bic_iso_9362_2014 semver dns_rfc1035_label credit_card cve luhn_checksum mongodb mongodb_connection_string cron spicedb ein duration`

func TestEveryRuleIsExpressedOrMarked(t *testing.T) {
	t.Parallel()
	s, err := New(&compiled.API{}, false)
	if err != nil {
		t.Fatal(err)
	}
	text, at := &model.Type{Kind: model.String}, position{role: role{request: true}, owner: &model.Struct{}}
	for name := range strings.FieldsSeq(validatorRules) {
		for _, param := range []string{"7", "Name value"} {
			st := s.state(model.Constraint{Name: name, Param: param}, text, at)
			if st.Keywords.IsEmpty() && st.Format == "" {
				t.Errorf("%s=%s has neither keywords nor a format", name, param)
			}
			if st.Format != "" && st.Sentence == "" {
				t.Errorf("%s=%s is marked without a word on what it is", name, param)
			}
			hasParam := slices.Contains([]string{"datetime", "postcode_iso3166_alpha2", "spicedb"}, name)
			if strings.Contains(st.Format, "_") || strings.Contains(st.Sentence, "Name") && st.Format != "bound" && !hasParam {
				t.Errorf("%s=%s says %q with the format %q, want no Go names and no underscores", name, param, st.Sentence, st.Format)
			}
		}
	}
}

func TestRulesWithParametersThatAreNone(t *testing.T) {
	t.Parallel()
	s, err := New(&compiled.API{}, false)
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[string]*model.Type{
		"text": {Kind: model.String}, "number": {Kind: model.Int, Bits: 64}, "list": {Kind: model.List, Elem: &model.Type{Kind: model.String}},
		"map": {Kind: model.Map, Elem: &model.Type{Kind: model.String}}, "time": {Kind: model.Time}, "bytes": {Kind: model.Bytes},
	}
	for kind, typ := range kinds {
		for _, rule := range []string{"min", "max", "len", "gt", "gte", "lt", "lte"} {
			for _, param := range []string{"x", "-1", "99999999999999999999", ""} {
				if kind == "number" && param == "-1" {
					continue
				}
				st := s.state(model.Constraint{Name: rule, Param: param}, typ, position{})
				if st.Format == "" || st.Keywords != nil {
					t.Errorf("%s=%q of a %s has the format %q and the keywords %v, want a format alone", rule, param, kind, st.Format, st.Keywords)
				}
			}
		}
	}
}

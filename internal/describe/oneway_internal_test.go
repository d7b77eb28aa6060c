package describe

import (
	"slices"
	"strings"
	"testing"

	"github.com/trove-api/trove/internal/compiled"
	"github.com/trove-api/trove/internal/model"
)

// oneWay lists the rules on strings that keywords cannot express in full: the service may reject a value that the
// schema allows. A format marks them. Keywords express all other rules.
const oneWay = `base32 bcp47_language_tag bcp47_strict_language_tag bic_iso_9362_2014 btc_addr btc_addr_bech32 cidr cidrv4 cidrv6 cmyk country_code credit_card cron
cve datauri datetime dns_rfc1035_label duration eqcsfield eqfield eth_addr_checksum eu_country_code excluded_if excluded_unless excluded_with
excluded_with_all excluded_without excluded_without_all fieldcontains fieldexcludes gtcsfield gtecsfield gtefield gtfield hostname_label hostname_port
hsl hsla html html_encoded isbn isbn10 isbn13 iscolor iso3166_1_alpha2 iso3166_1_alpha2_eu iso3166_1_alpha3 iso3166_1_alpha3_eu
iso3166_1_alpha_numeric iso3166_1_alpha_numeric_eu iso3166_2 iso4217 iso4217_numeric issn json lowercase ltcsfield ltecsfield ltefield ltfield
luhn_checksum mac md4 mongodb_connection_string necsfield nefield origin postcode_iso3166_alpha2 postcode_iso3166_alpha2_field required_if
required_unless required_with required_with_all required_without required_without_all rgb rgba ripemd128 ripemd160 spicedb ssn tiger128 tiger160
tiger192 timezone ulid uppercase urn_rfc2141 urn_rfc8141 uuid3_rfc4122 uuid4_rfc4122 uuid5_rfc4122`

func TestRulesThatKeywordsCannotExpressInFull(t *testing.T) {
	t.Parallel()
	s, err := New(&compiled.API{}, false)
	if err != nil {
		t.Fatal(err)
	}
	asserted := []string{"", "email", "uri", "ipv4", "ipv6", "uuid", "date-time"}
	var found []string
	for name := range strings.FieldsSeq(validatorRules) {
		st := s.state(model.Constraint{Name: name, Param: "7"}, &model.Type{Kind: model.String}, position{role: role{request: true}, owner: &model.Struct{}})
		if !slices.Contains(asserted, st.Format) {
			found = append(found, name)
		}
	}
	want := strings.Fields(oneWay)
	slices.Sort(found)
	slices.Sort(want)
	if !slices.Equal(found, want) {
		t.Errorf("the rules said one way are\n%s\nwant\n%s", strings.Join(found, " "), strings.Join(want, " "))
	}
}

// Package reference_test writes docs/reference.md from the code and from responses of a running API, and compares the
// page with both. Run it with -update after a change of tags, rules, options, parameters or statuses.
package reference_test

import (
	"bytes"
	"context"
	"flag"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"text/template"

	"github.com/google/go-cmp/cmp"
)

const (
	root = "../.."
	page = root + "/docs/reference.md"
)

var update = flag.Bool("update", false, "write docs/reference.md")

func TestTheReferenceAgreesWithTheCode(t *testing.T) {
	t.Parallel()
	frame, err := template.New("frame.md").Funcs(template.FuncMap{
		"tags":       func() string { return tagTable(t) },
		"api":        func() string { return wordTable(t) },
		"filters":    func() string { return filterTable(t) },
		"required":   func() string { return requiredTable(t) },
		"formats":    func() string { return formatTable(t) },
		"rules":      func() string { return ruleTable(t) },
		"options":    func(dir, name string) string { return optionTable(t, dir, name) },
		"parameters": func() string { return parameterTable(t) },
		"statuses":   func() string { return statusTable(t) },
	}).ParseFiles("testdata/frame.md")
	if err != nil {
		t.Fatal(err)
	}
	var written bytes.Buffer
	if err := frame.Execute(&written, nil); err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(page, written.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(written.String(), string(got)); diff != "" {
		t.Errorf("docs/reference.md is out of date; run go test ./internal/reference -update (-want +got):\n%s", diff)
	}
}

// table writes a Markdown table.
func table(head []string, rows [][]string) string {
	var b strings.Builder
	line := func(cells []string) {
		b.WriteByte('|')
		for _, cell := range cells {
			b.WriteString(" " + strings.NewReplacer("|", `\|`, "\n", " ").Replace(cell) + " |")
		}
		b.WriteByte('\n')
	}
	line(head)
	b.WriteString(strings.Repeat("|---", len(head)) + "|\n")
	for _, row := range rows {
		line(row)
	}
	return b.String()
}

// code writes text as inline code, nothing for the empty text.
func code(text string) string {
	switch {
	case text == "":
		return ""
	case strings.Contains(text, "`"):
		return "`` " + text + " ``"
	}
	return "`" + text + "`"
}

// send sends a request with a JSON body and returns the body of the response.
func send(ctx context.Context, api http.Handler, method, target, body string) []byte {
	r := httptest.NewRequestWithContext(ctx, method, target, strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	api.ServeHTTP(w, r)
	return w.Body.Bytes()
}

// first and second have a field for each rule, named after it, half of the rules each: a response lists at most 100
// errors. Rules about other fields name the first ones. The tag bad has a value that breaks the rule; if it is empty, the field is absent.
type first struct {
	ID      int    `json:"id"`
	Word    string `json:"word"`    // "x" in requests
	Five    int    `json:"five"`    // 5
	Country string `json:"country"` // "DE"
	Absent  string `json:"absent"`
	Missing string `json:"missing"`

	Alpha                  string `json:"alpha" validate:"alpha" bad:"\"?\""`
	Alphanum               string `json:"alphanum" validate:"alphanum" bad:"\"?\""`
	Alphanumspace          string `json:"alphanumspace" validate:"alphanumspace" bad:"\"?\""`
	Alphanumunicode        string `json:"alphanumunicode" validate:"alphanumunicode" bad:"\"?\""`
	Alphaspace             string `json:"alphaspace" validate:"alphaspace" bad:"\"?\""`
	Alphaunicode           string `json:"alphaunicode" validate:"alphaunicode" bad:"\"?\""`
	ASCII                  string `json:"ascii" validate:"ascii" bad:"\"é\""`
	Base32                 string `json:"base32" validate:"base32" bad:"\"?\""`
	Base64                 string `json:"base64" validate:"base64" bad:"\"?\""`
	Base64rawurl           string `json:"base64rawurl" validate:"base64rawurl" bad:"\"?\""`
	Base64url              string `json:"base64url" validate:"base64url" bad:"\"?\""`
	Bcp47LanguageTag       string `json:"bcp47_language_tag" validate:"bcp47_language_tag" bad:"\"?\""`
	Bcp47StrictLanguageTag string `json:"bcp47_strict_language_tag" validate:"bcp47_strict_language_tag" bad:"\"?\""`
	Bic                    string `json:"bic" validate:"bic" bad:"\"?\""`
	BicIso93622014         string `json:"bic_iso_9362_2014" validate:"bic_iso_9362_2014" bad:"\"?\""`
	Boolean                string `json:"boolean" validate:"boolean" bad:"\"?\""`
	BtcAddr                string `json:"btc_addr" validate:"btc_addr" bad:"\"?\""`
	BtcAddrBech32          string `json:"btc_addr_bech32" validate:"btc_addr_bech32" bad:"\"?\""`
	Cidr                   string `json:"cidr" validate:"cidr" bad:"\"?\""`
	Cidrv4                 string `json:"cidrv4" validate:"cidrv4" bad:"\"?\""`
	Cidrv6                 string `json:"cidrv6" validate:"cidrv6" bad:"\"?\""`
	Cmyk                   string `json:"cmyk" validate:"cmyk" bad:"\"?\""`
	Contains               string `json:"contains" validate:"contains=ab" bad:"\"x\""`
	Containsany            string `json:"containsany" validate:"containsany=!?" bad:"\"x\""`
	Containsrune           string `json:"containsrune" validate:"containsrune=@" bad:"\"x\""`
	CountryCode            string `json:"country_code" validate:"country_code" bad:"\"?\""`
	CreditCard             string `json:"credit_card" validate:"credit_card" bad:"\"?\""`
	Cron                   string `json:"cron" validate:"cron" bad:"\"?\""`
	Cve                    string `json:"cve" validate:"cve" bad:"\"?\""`
	Datauri                string `json:"datauri" validate:"datauri" bad:"\"?\""`
	Datetime               string `json:"datetime" validate:"datetime=2006-01-02" bad:"\"x\""`
	DNSRfc1035Label        string `json:"dns_rfc1035_label" validate:"dns_rfc1035_label" bad:"\"?\""`
	Duration               string `json:"duration" validate:"duration" bad:"\"?\""`
	E164                   string `json:"e164" validate:"e164" bad:"\"?\""`
	Ein                    string `json:"ein" validate:"ein" bad:"\"?\""`
	Email                  string `json:"email" validate:"email" bad:"\"?\""`
	Endsnotwith            string `json:"endsnotwith" validate:"endsnotwith=ab" bad:"\"cab\""`
	Endswith               string `json:"endswith" validate:"endswith=ab" bad:"\"x\""`
	Eq                     string `json:"eq" validate:"eq=on" bad:"\"x\""`
	EqIgnoreCase           string `json:"eq_ignore_case" validate:"eq_ignore_case=on" bad:"\"x\""`
	Eqcsfield              int    `json:"eqcsfield" validate:"eqcsfield=Five" bad:"1"`
	Eqfield                int    `json:"eqfield" validate:"eqfield=Five" bad:"1"`
	EthAddr                string `json:"eth_addr" validate:"eth_addr" bad:"\"?\""`
	EthAddrChecksum        string `json:"eth_addr_checksum" validate:"eth_addr_checksum" bad:"\"?\""`
	EuCountryCode          string `json:"eu_country_code" validate:"eu_country_code" bad:"\"?\""`
	ExcludedIf             string `json:"excluded_if" validate:"excluded_if=Word x" bad:"\"x\""`
	ExcludedUnless         string `json:"excluded_unless" validate:"excluded_unless=Word y" bad:"\"x\""`
	ExcludedWith           string `json:"excluded_with" validate:"excluded_with=Word" bad:"\"x\""`
	ExcludedWithAll        string `json:"excluded_with_all" validate:"excluded_with_all=Word Five" bad:"\"x\""`
	ExcludedWithout        string `json:"excluded_without" validate:"excluded_without=Absent" bad:"\"x\""`
	ExcludedWithoutAll     string `json:"excluded_without_all" validate:"excluded_without_all=Absent Missing" bad:"\"x\""`
	Excludes               string `json:"excludes" validate:"excludes=ab" bad:"\"ab\""`
	Excludesall            string `json:"excludesall" validate:"excludesall=<>" bad:"\"<\""`
	Excludesrune           string `json:"excludesrune" validate:"excludesrune=@" bad:"\"@\""`
	Fieldcontains          string `json:"fieldcontains" validate:"fieldcontains=Word" bad:"\"y\""`
	Fieldexcludes          string `json:"fieldexcludes" validate:"fieldexcludes=Word" bad:"\"x\""`
	Fqdn                   string `json:"fqdn" validate:"fqdn" bad:"\"?\""`
	Gt                     int    `json:"gt" validate:"gt=3" bad:"3"`
	Gtcsfield              int    `json:"gtcsfield" validate:"gtcsfield=Five" bad:"1"`
	Gte                    int    `json:"gte" validate:"gte=3" bad:"1"`
	Gtecsfield             int    `json:"gtecsfield" validate:"gtecsfield=Five" bad:"1"`
	Gtefield               int    `json:"gtefield" validate:"gtefield=Five" bad:"1"`
	Notbeforefield         int    `json:"notbeforefield" validate:"notbeforefield=Five" bad:"1"`
	Gtfield                int    `json:"gtfield" validate:"gtfield=Five" bad:"1"`
	Hexadecimal            string `json:"hexadecimal" validate:"hexadecimal" bad:"\"?\""`
	Hexcolor               string `json:"hexcolor" validate:"hexcolor" bad:"\"?\""`
	Hostname               string `json:"hostname" validate:"hostname" bad:"\"?\""`
	HostnameLabel          string `json:"hostname_label" validate:"hostname_label" bad:"\"?\""`
	HostnamePort           string `json:"hostname_port" validate:"hostname_port" bad:"\"?\""`
	HostnameRfc1123        string `json:"hostname_rfc1123" validate:"hostname_rfc1123" bad:"\"?\""`
	Hsl                    string `json:"hsl" validate:"hsl" bad:"\"?\""`
	Hsla                   string `json:"hsla" validate:"hsla" bad:"\"?\""`
	HTML                   string `json:"html" validate:"html" bad:"\"?\""`
	HTMLEncoded            string `json:"html_encoded" validate:"html_encoded" bad:"\"?\""`
	HTTPURL                string `json:"http_url" validate:"http_url" bad:"\"?\""`
	HTTPSURL               string `json:"https_url" validate:"https_url" bad:"\"?\""`
	IP                     string `json:"ip" validate:"ip" bad:"\"?\""`
	Ipv4                   string `json:"ipv4" validate:"ipv4" bad:"\"?\""`
	Ipv6                   string `json:"ipv6" validate:"ipv6" bad:"\"?\""`
	Isbn                   string `json:"isbn" validate:"isbn" bad:"\"?\""`
	Isbn10                 string `json:"isbn10" validate:"isbn10" bad:"\"?\""`
	Isbn13                 string `json:"isbn13" validate:"isbn13" bad:"\"?\""`
	Iscolor                string `json:"iscolor" validate:"iscolor" bad:"\"?\""`
	Isdefault              string `json:"isdefault" validate:"isdefault" bad:"\"x\""`
	Iso31661Alpha2         string `json:"iso3166_1_alpha2" validate:"iso3166_1_alpha2" bad:"\"?\""`
	Iso31661Alpha2Eu       string `json:"iso3166_1_alpha2_eu" validate:"iso3166_1_alpha2_eu" bad:"\"?\""`
	Iso31661Alpha3         string `json:"iso3166_1_alpha3" validate:"iso3166_1_alpha3" bad:"\"?\""`
}

type second struct {
	ID      int    `json:"id"`
	Word    string `json:"word"`    // "x" in requests
	Five    int    `json:"five"`    // 5
	Country string `json:"country"` // "DE"
	Absent  string `json:"absent"`
	Missing string `json:"missing"`

	Iso31661Alpha3Eu           string   `json:"iso3166_1_alpha3_eu" validate:"iso3166_1_alpha3_eu" bad:"\"?\""`
	Iso31661AlphaNumeric       string   `json:"iso3166_1_alpha_numeric" validate:"iso3166_1_alpha_numeric" bad:"\"?\""`
	Iso31661AlphaNumericEu     string   `json:"iso3166_1_alpha_numeric_eu" validate:"iso3166_1_alpha_numeric_eu" bad:"\"?\""`
	Iso31662                   string   `json:"iso3166_2" validate:"iso3166_2" bad:"\"?\""`
	Iso4217                    string   `json:"iso4217" validate:"iso4217" bad:"\"?\""`
	Iso4217Numeric             int      `json:"iso4217_numeric" validate:"iso4217_numeric" bad:"1"`
	Issn                       string   `json:"issn" validate:"issn" bad:"\"?\""`
	JSON                       string   `json:"json" validate:"json" bad:"\"?\""`
	Jwt                        string   `json:"jwt" validate:"jwt" bad:"\"?\""`
	Latitude                   float64  `json:"latitude" validate:"latitude" bad:"91"`
	Len                        string   `json:"len" validate:"len=3" bad:"\"x\""`
	Longitude                  float64  `json:"longitude" validate:"longitude" bad:"181"`
	Lowercase                  string   `json:"lowercase" validate:"lowercase" bad:"\"X\""`
	Lt                         int      `json:"lt" validate:"lt=3" bad:"3"`
	Ltcsfield                  int      `json:"ltcsfield" validate:"ltcsfield=Five" bad:"9"`
	Lte                        int      `json:"lte" validate:"lte=3" bad:"9"`
	Ltecsfield                 int      `json:"ltecsfield" validate:"ltecsfield=Five" bad:"9"`
	Ltefield                   int      `json:"ltefield" validate:"ltefield=Five" bad:"9"`
	Ltfield                    int      `json:"ltfield" validate:"ltfield=Five" bad:"9"`
	LuhnChecksum               string   `json:"luhn_checksum" validate:"luhn_checksum" bad:"\"?\""`
	Mac                        string   `json:"mac" validate:"mac" bad:"\"?\""`
	Max                        int      `json:"max" validate:"max=3" bad:"9"`
	Md4                        string   `json:"md4" validate:"md4" bad:"\"?\""`
	Md5                        string   `json:"md5" validate:"md5" bad:"\"?\""`
	Min                        int      `json:"min" validate:"min=3" bad:"1"`
	Mongodb                    string   `json:"mongodb" validate:"mongodb" bad:"\"?\""`
	MongodbConnectionString    string   `json:"mongodb_connection_string" validate:"mongodb_connection_string" bad:"\"?\""`
	Multibyte                  string   `json:"multibyte" validate:"multibyte" bad:"\"x\""`
	Ne                         string   `json:"ne" validate:"ne=off" bad:"\"off\""`
	NeIgnoreCase               string   `json:"ne_ignore_case" validate:"ne_ignore_case=off" bad:"\"OFF\""`
	Necsfield                  int      `json:"necsfield" validate:"necsfield=Five" bad:"5"`
	Nefield                    int      `json:"nefield" validate:"nefield=Five" bad:"5"`
	Noneof                     string   `json:"noneof" validate:"noneof=red blue" bad:"\"red\""`
	Noneofci                   string   `json:"noneofci" validate:"noneofci=red blue" bad:"\"RED\""`
	Notblank                   string   `json:"notblank" validate:"notblank" bad:"\" \""`
	Number                     string   `json:"number" validate:"number" bad:"\"?\""`
	Numeric                    string   `json:"numeric" validate:"numeric" bad:"\"?\""`
	Oneof                      string   `json:"oneof" validate:"oneof=red 'light blue'" bad:"\"x\""`
	Oneofci                    string   `json:"oneofci" validate:"oneofci=red blue" bad:"\"x\""`
	Origin                     string   `json:"origin" validate:"origin" bad:"\"?\""`
	Port                       int      `json:"port" validate:"port" bad:"70000"`
	PostcodeIso3166Alpha2      string   `json:"postcode_iso3166_alpha2" validate:"postcode_iso3166_alpha2=DE" bad:"\"x\""`
	PostcodeIso3166Alpha2Field string   `json:"postcode_iso3166_alpha2_field" validate:"postcode_iso3166_alpha2_field=Country" bad:"\"x\""`
	Printascii                 string   `json:"printascii" validate:"printascii" bad:"\"é\""`
	Required                   string   `json:"required" validate:"required" bad:""`
	RequiredIf                 string   `json:"required_if" validate:"required_if=Word x" bad:""`
	RequiredUnless             string   `json:"required_unless" validate:"required_unless=Word y" bad:""`
	RequiredWith               string   `json:"required_with" validate:"required_with=Word" bad:""`
	RequiredWithAll            string   `json:"required_with_all" validate:"required_with_all=Word Five" bad:""`
	RequiredWithout            string   `json:"required_without" validate:"required_without=Absent" bad:""`
	RequiredWithoutAll         string   `json:"required_without_all" validate:"required_without_all=Absent Missing" bad:""`
	Rgb                        string   `json:"rgb" validate:"rgb" bad:"\"?\""`
	Rgba                       string   `json:"rgba" validate:"rgba" bad:"\"?\""`
	Ripemd128                  string   `json:"ripemd128" validate:"ripemd128" bad:"\"?\""`
	Ripemd160                  string   `json:"ripemd160" validate:"ripemd160" bad:"\"?\""`
	Semver                     string   `json:"semver" validate:"semver" bad:"\"?\""`
	Sha256                     string   `json:"sha256" validate:"sha256" bad:"\"?\""`
	Sha384                     string   `json:"sha384" validate:"sha384" bad:"\"?\""`
	Sha512                     string   `json:"sha512" validate:"sha512" bad:"\"?\""`
	Spicedb                    string   `json:"spicedb" validate:"spicedb=id" bad:"\"?\""`
	Ssn                        string   `json:"ssn" validate:"ssn" bad:"\"?\""`
	Startsnotwith              string   `json:"startsnotwith" validate:"startsnotwith=ab" bad:"\"abc\""`
	Startswith                 string   `json:"startswith" validate:"startswith=ab" bad:"\"x\""`
	Tiger128                   string   `json:"tiger128" validate:"tiger128" bad:"\"?\""`
	Tiger160                   string   `json:"tiger160" validate:"tiger160" bad:"\"?\""`
	Tiger192                   string   `json:"tiger192" validate:"tiger192" bad:"\"?\""`
	Timezone                   string   `json:"timezone" validate:"timezone" bad:"\"?\""`
	Ulid                       string   `json:"ulid" validate:"ulid" bad:"\"?\""`
	Unique                     []string `json:"unique" validate:"unique" bad:"[\"a\",\"a\"]"`
	Uppercase                  string   `json:"uppercase" validate:"uppercase" bad:"\"x\""`
	URI                        string   `json:"uri" validate:"uri" bad:"\"?\""`
	URL                        string   `json:"url" validate:"url" bad:"\"?\""`
	URLEncoded                 string   `json:"url_encoded" validate:"url_encoded" bad:"\"%g\""`
	UrnRfc2141                 string   `json:"urn_rfc2141" validate:"urn_rfc2141" bad:"\"?\""`
	UrnRfc8141                 string   `json:"urn_rfc8141" validate:"urn_rfc8141" bad:"\"?\""`
	UUID                       string   `json:"uuid" validate:"uuid" bad:"\"?\""`
	UUID3                      string   `json:"uuid3" validate:"uuid3" bad:"\"?\""`
	UUID3Rfc4122               string   `json:"uuid3_rfc4122" validate:"uuid3_rfc4122" bad:"\"?\""`
	UUID4                      string   `json:"uuid4" validate:"uuid4" bad:"\"?\""`
	UUID4Rfc4122               string   `json:"uuid4_rfc4122" validate:"uuid4_rfc4122" bad:"\"?\""`
	UUID5                      string   `json:"uuid5" validate:"uuid5" bad:"\"?\""`
	UUID5Rfc4122               string   `json:"uuid5_rfc4122" validate:"uuid5_rfc4122" bad:"\"?\""`
	UUID7                      string   `json:"uuid7" validate:"uuid7" bad:"\"?\""`
	UUIDRfc4122                string   `json:"uuid_rfc4122" validate:"uuid_rfc4122" bad:"\"?\""`
}

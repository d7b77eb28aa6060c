package openapi_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"

	"github.com/trove-api/trove/openapi"
	"github.com/trove-api/trove/resource"
)

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

package admin

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"github.com/trove-api/trove/internal/content"
	"github.com/trove-api/trove/internal/invoke"
	"github.com/trove-api/trove/internal/naming"
	"github.com/trove-api/trove/internal/schema"
)

// Config configures the admin of an API. Its zero value is ready to use.
type Config struct {
	// Title is the name of the service on each page. Default: the title of the OpenAPI document, else "Admin".
	Title string
	// Path is the path of the page, regardless of the prefix of the API. The path of resource.Config.PublicURL comes before
	// it. Default: "/admin".
	Path string
	// Logo is an image, as SVG, PNG, JPEG or WebP, for the head of each page, also of the home page and the documentation. Default: none.
	Logo []byte
	// Color is the color of buttons and links, such as "#7c3aed". Text in it is darkened or lightened where the contrast
	// would be too low to read. Default: a blue.
	Color string
	// Resources names, orders and hides resources. Resources that are not listed follow in the order of declaration.
	// Default: all resources in that order.
	Resources []Resource
	// Dashboard lists the panels of the first page, in this order: [Number], [Bars], [Line] and [Newest]. Short links to the
	// resources follow them. Callers get only the panels whose operation they may call and whose fields they may see.
	// Default: none; the first page describes the resources.
	Dashboard []Panel
	// SignIn is the id of the operation that begins a session, for people who sign in with a form. Default: the first
	// Post with a Handler and a body that ignores credentials and documents the response header Set-Cookie.
	SignIn string
	// SignOut is the id of the operation that ends a session. Default: as for SignIn, but without a body.
	SignOut string
	// ClientID identifies the admin at the identity provider of an OpenID Connect or OAuth 2 scheme. With it, people sign
	// in there (authorization code with PKCE, in the browser); register the URL of the admin as redirect URI of a public
	// client. Default: people paste a token.
	ClientID string
	// Scopes are requested from the identity provider of ClientID. Default: "openid" for OpenID Connect, else none.
	Scopes []string
	// Origins are origins of the identity provider of ClientID in addition to that of its configuration, such as
	// "https://oauth2.example.com". The page may send requests to no others. Default: none.
	Origins []string
	// Texts replaces texts of the page by their keys. The key "lang" is the language of the page, of its numbers and of its
	// dates, such as "de" or "de-AT". Keys that end in ".other" are plurals, and other languages may add ".zero", ".two",
	// ".few" and ".many".
	// "field.city" is the name of the fields city in nested objects, in bodies of operations and in the form of the sign-in.
	// [German] returns all texts in German. Default: English, with numbers and dates as the browser writes them.
	Texts map[string]string
}

// isEnglish reports whether the page is in English.
func (c *Config) isEnglish() bool { return strings.HasPrefix(cmp.Or(c.Texts["lang"], "en"), "en") }

func (c *Config) path() string { return cmp.Or(c.Path, "/admin") }

// color matches colors that are safe and simple to use in a style sheet.
var color = regexp.MustCompile(`^#([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$`)

// segments matches paths without characters that have a meaning in routes.
var segments = regexp.MustCompile(`^(/[A-Za-z0-9._~-]+)+$`)

// check returns all errors in the config. The operations of the API are described.
func (c *Config) check(api *invoke.API) error {
	var errs []error
	fail := func(format string, args ...any) { errs = append(errs, fmt.Errorf("config: "+format, args...)) }
	if !segments.MatchString(c.path()) {
		fail("Path: %q is not a path; allowed: / and letters, digits, -, _, . and ~, such as %q", c.Path, "/admin")
	}
	if c.Color != "" && !color.MatchString(c.Color) {
		fail("Color: %q is not a color; write it as %q", c.Color, "#7c3aed")
	}
	if len(c.Logo) > 0 && content.ImageType(c.Logo) == "" {
		fail("Logo: the image is of an unknown type; allowed: SVG, PNG, JPEG, WebP")
	}
	for _, of := range [...][2]string{{"SignIn", c.SignIn}, {"SignOut", c.SignOut}} {
		name, id := of[0], of[1]
		if id == "" {
			continue
		}
		if op, err := api.Operation(id); err != nil {
			fail("%s: %w", name, err)
		} else if op.Item || op.Reads || op.Hidden {
			fail("%s: operation %s cannot be called by a form without a record; allowed: a Post, Put, Patch or Delete without a record", name, id)
		}
	}
	var checked http.CrossOriginProtection
	for _, origin := range c.Origins {
		if err := checked.AddTrustedOrigin(origin); err != nil {
			fail("Origins: %q is not an origin; write scheme and host, such as %q", origin, "https://oauth2.example.com")
		}
	}
	if c.ClientID == "" && len(c.Scopes)+len(c.Origins) > 0 {
		fail("Scopes, Origins: they are for an identity provider; set ClientID, or remove them")
	}
	return errors.Join(append(errs, c.checkResources(api), c.checkDashboard(api), c.checkTexts(api))...)
}

// languages matches tags of languages. Scripts of the page fail with a tag that is not valid.
var languages = regexp.MustCompile(`^[a-zA-Z]{2,3}(-[a-zA-Z]{4})?(-([a-zA-Z]{2}|\d{3}))?(-u(-[a-zA-Z0-9]{2,8})+)?$`)

// checkTexts returns the errors in the language and in the keys of texts.
func (c *Config) checkTexts(api *invoke.API) error {
	known, errs := map[string]bool{}, []error(nil)
	if lang, isSet := c.Texts["lang"]; isSet && !languages.MatchString(lang) {
		errs = append(errs, fmt.Errorf("config: Texts: lang: %q is not a language; write it as %q or %q", lang, "de", "de-AT"))
	}
	for key := range German() { // it has them all
		known[key] = true
		if stem, isPlural := strings.CutSuffix(key, "other"); isPlural { // other languages have more forms
			known[stem+"zero"], known[stem+"two"], known[stem+"few"], known[stem+"many"] = true, true, true, true
		}
	}
	for _, op := range api.Operations {
		for _, of := range []*schema.Schema{op.Body, op.Response} {
			addFieldTexts(known, of)
			for _, d := range of.Definitions() {
				addFieldTexts(known, d.Schema)
			}
		}
	}
	for _, key := range slices.Sorted(maps.Keys(c.Texts)) {
		if !known[key] {
			errs = append(errs, fmt.Errorf("config: Texts: unknown key %q%s", key, naming.DidYouMean(key, slices.Sorted(maps.Keys(known)))))
		}
	}
	return errors.Join(errs...)
}

// ofField is before the name of a field in the key of its text.
const ofField = "field."

// addFieldTexts adds the keys of texts for all fields in a schema, not in those that it refers to.
func addFieldTexts(keys map[string]bool, of *schema.Schema) {
	of.Each(func(inner *schema.Schema) {
		for _, p := range inner.Properties {
			keys[ofField+p.Name] = true
		}
	})
}

// title returns the title of the pages.
func (c *Config) title(api *invoke.API) string { return cmp.Or(c.Title, api.Title(), "Admin") }

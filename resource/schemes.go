package resource

import (
	"regexp"
	"slices"
	"strings"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/internal/compiled"
)

var (
	schemeName = regexp.MustCompile(`^[A-Za-z0-9._-]+$`)             // of a component of a document
	token      = regexp.MustCompile("^[A-Za-z0-9!#$%&'*+.^_`|~-]+$") // RFC 9110, section 5.6.2
)

// schemes checks the ways of authentication, and finds the fields of the header that answers
// vary with.
func (c Config) schemes(api *compiled.API, fail func(string, ...any)) {
	var fields []string
	for i, scheme := range c.Authentication {
		if scheme.Kind == "" {
			fail("Authentication: scheme %d is empty; make it by a function of package access, such as access.Bearer", i+1)
			continue
		}
		checkScheme(scheme, func(format string, args ...any) {
			fail("Authentication: scheme %q: "+format, append([]any{scheme.Name}, args...)...)
		})
		same := func(other access.Scheme) bool { return other.Name == scheme.Name }
		if slices.ContainsFunc(c.Authentication[:i], same) {
			fail("Authentication: two schemes have the name %q", scheme.Name)
		}
		if scheme.Kind == "token" && slices.ContainsFunc(c.Authentication[:i], func(other access.Scheme) bool {
			return other.Kind == "token" && strings.EqualFold(other.Field, scheme.Field)
		}) {
			fail("Authentication: two schemes have the word %q before their tokens, of which the second one would never be asked", scheme.Field)
		}
		if field := fieldOf(scheme); !slices.Contains(fields, field) {
			fields = append(fields, field)
		}
	}
	if fields == nil { // those of middleware nobody has told
		fields = []string{"Authorization", "Cookie"}
	}
	api.Vary = []string{strings.Join(append([]string{"Accept"}, fields...), ", ")}
}

// fieldOf returns the field of the header that has the credentials of a scheme.
func fieldOf(scheme access.Scheme) string {
	switch scheme.Kind {
	case "apikey":
		return scheme.Field
	case "cookie":
		return "Cookie"
	}
	return "Authorization"
}

// reservedFields are fields of the header that cannot be a key: others read them.
var reservedFields = []string{"authorization", "cookie", "host", "content-type", "content-length", "accept"}

// otherWords are the words before credentials that have schemes of their own.
var otherWords = []string{"bearer", "basic"}

func checkScheme(scheme access.Scheme, fail func(string, ...any)) {
	if !schemeName.MatchString(scheme.Name) {
		fail("the name is not one of a document; allowed: letters, digits, \".\", \"_\" and \"-\"")
	}
	if scheme.Authenticate == nil {
		fail("is made of a nil function")
	}
	switch scheme.Kind {
	case "apikey":
		if !token.MatchString(scheme.Field) || slices.Contains(reservedFields, strings.ToLower(scheme.Field)) {
			fail("the field is %q; allowed: the name of a header field that has no other use, such as \"X-API-Key\"", scheme.Field)
		}
	case "cookie":
		if !token.MatchString(scheme.Field) {
			fail("the cookie is called %q; allowed: letters, digits and some signs (RFC 6265)", scheme.Field)
		}
	case "token":
		if word := strings.ToLower(scheme.Field); !token.MatchString(word) || slices.Contains(otherWords, word) {
			fail("the word is %q; allowed: letters, digits and some signs (RFC 9110), but not Bearer or Basic: use access.Bearer or access.Basic", scheme.Field)
		}
	case "oauth2":
		if scheme.Flows == (access.Flows{}) {
			fail("Flows is empty; set one of its fields at least")
		}
	case "openidconnect":
		if !strings.HasPrefix(scheme.URL, "https://") && !strings.HasPrefix(scheme.URL, "http://") {
			fail("the URL is %q; allowed: an absolute one", scheme.URL)
		}
	}
}

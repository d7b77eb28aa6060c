package access_test

import (
	"context"
	"testing"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/resource"
)

// readsTokens authenticates the token "abc".
func readsTokens(_ context.Context, token string) (*spec.Captain, access.Scopes, error) {
	if token != "abc" {
		return nil, nil, access.ErrCredentials
	}
	return spec.Captains["ann"], nil, nil
}

func TestATokenSchemeHasItsOwnWordInTheAuthorizationField(t *testing.T) {
	t.Parallel()
	rules := access.Rules{Read: access.Authenticated, Create: access.Public, Update: access.Public, Delete: access.Public}
	c := spec.NewClient(t, resource.Config{Authentication: []access.Scheme{
		access.Bearer("jwt", readsTokens), access.Token("token", "Token", readsTokens),
	}}, resource.Of[spec.Pennant]{Access: rules})
	for header, want := range map[string]int{
		"Token abc": 200, "token abc": 200, "Bearer abc": 200, "Token": 401, "Token ": 401, "Token other": 401, "Tokens abc": 401, "abc": 401, "Token abc\x7f": 401,
	} {
		if got := c.Send("GET /api/pennants", "", "Authorization", header); got.Status != want {
			t.Errorf("%q returns %d, want %d", header, got.Status, want)
		}
	}
	got := c.Send("GET /api/pennants", "")
	challenges := got.Header.Values("WWW-Authenticate")
	if got.Status != 401 || len(challenges) != 2 || challenges[1] != `Token realm="token"` {
		t.Errorf("without credentials: %d with %q", got.Status, challenges)
	}
}

func TestMistakesInTheWordOfATokenScheme(t *testing.T) {
	t.Parallel()
	open := resource.Of[spec.Pennant]{Access: access.Rules{Read: access.Public, Create: access.Public, Update: access.Public, Delete: access.Public}}
	for _, word := range []string{"", "Bearer", "basic", "two words", "é"} {
		_, err := resource.New(resource.Config{Authentication: []access.Scheme{access.Token("token", word, readsTokens)}}, open)
		spec.WantLine(t, err, `" is not allowed; use letters and digits (RFC 9110), or access.Bearer or access.Basic for their own words`)
	}
	_, err := resource.New(resource.Config{Authentication: []access.Scheme{
		access.Token("a", "Token", readsTokens), access.Token("b", "token", readsTokens),
	}}, open)
	spec.WantLine(t, err, `Authentication: two schemes use the word "token" before the token, and the second would never be called`)
}

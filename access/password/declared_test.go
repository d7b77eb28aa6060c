package password_test

import (
	"context"
	"strings"
	"testing"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/access/password"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
)

func TestNewReportsAccountsThatCannotWork(t *testing.T) {
	t.Parallel()
	accounts := &password.Accounts[User]{Name: "nam"}
	_, err := resource.New(resource.Config{Authentication: []access.Scheme{accounts.Basic("login")}})
	for _, want := range []string{
		`Config: Authentication: scheme "login": password.Accounts: Store is missing; it must be the store of the users`,
		`Config: Authentication: scheme "login": password.Accounts: Name: User has no field "nam"; did you mean "name"?`,
		`Config: Authentication: scheme "login": password.Accounts: Password is missing; it must return a pointer to the field with the password`,
	} {
		if err == nil || !strings.Contains(err.Error(), want+"\n") && !strings.HasSuffix(err.Error(), want) {
			t.Errorf("the error is %v, want %s", err, want)
		}
	}
}

func TestNewReportsAPasswordThatNothingHashes(t *testing.T) {
	t.Parallel()
	const want = "User.Password: clients set the password, and nothing hashes it; set BeforeTransaction to the Hash of password.Accounts, or to a function of your own"
	type NewUser struct {
		Name string `json:"name"`
	}
	importUsers := operation.Post{URITemplate: "/import", Handler: operation.Handle(
		func(_ context.Context, _ *User, _ []operation.CreateOf[User]) ([]*User, error) { return nil, nil })}
	for name, test := range map[string]struct {
		of   resource.Of[User]
		fail bool
	}{
		"the standard operations": {resource.Of[User]{}, true},
		"only a Patch":            {resource.Of[User]{Operations: []operation.Operation{operation.Patch{}}}, true},
		"only an import":          {resource.Of[User]{Operations: []operation.Operation{importUsers}}, true},
		"only reads":              {resource.Of[User]{Operations: []operation.Operation{operation.Get{}}}, false},
		"another body": {resource.Of[User]{Operations: []operation.Operation{operation.Post{}}, Input: operation.Input(
			func(_ context.Context, in NewUser, u *User) error { u.Name = in.Name; return nil })}, false},
		"a function": {resource.Of[User]{BeforeTransaction: func(context.Context, *operation.Request, *User) error { return nil }}, false},
	} {
		_, err := resource.New(resource.Config{}, test.of)
		if (err != nil) != test.fail || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

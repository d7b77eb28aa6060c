package session_test

import (
	"strings"
	"testing"

	"github.com/trove-api/trove/access/password"
	"github.com/trove-api/trove/access/session"
	"github.com/trove-api/trove/store/memory"
)

func TestErrorsOfTheConfigComeAtOnce(t *testing.T) {
	t.Parallel()
	_, err := session.New(session.Config[User]{Accounts: &password.Accounts[User]{Name: "usernam"}})
	want := `password.Accounts: Store is missing; it must be the store of the users
password.Accounts: Name: User has no field "usernam"; did you mean "username"?
password.Accounts: Password is missing; it must return a pointer to the field with the password`
	if err == nil || err.Error() != want {
		t.Errorf("the error is\n%v, want\n%s", err, want)
	}
}

func TestUsersNeedAUniqueNameAndASecretPassword(t *testing.T) {
	t.Parallel()
	type Account struct {
		ID      int64   `json:"id"`
		Email   string  `json:"email"`
		Age     int     `json:"age"`
		Nick    *string `json:"nick" api:"unique"`
		Secret  string  `json:"secret"`
		Private string  `json:"-"`
	}
	outside := ""
	for want, accounts := range map[string]*password.Accounts[Account]{
		`Account.Email can be the same for several users; tag it api:"unique"`:           {Name: "email"},
		`Account.Age has the type int; it must be a string`:                              {Name: "age"},
		`Account.Nick has the type *string; it must be a string`:                         {Name: "nick"},
		`stores would keep a plain Account.Secret; tag it api:"password"`:                {Password: func(a *Account) *string { return &a.Secret }},
		`Password must return a pointer to a field of Account that is stored`:            {Password: func(a *Account) *string { return &a.Private }},
		`password.Accounts: Password must return a pointer to a field of Account that i`: {Password: func(*Account) *string { return &outside }},
		`password.Accounts: Password must return a pointer to a field of Account that`:   {Password: func(*Account) *string { return nil }},
	} {
		accounts.Store = memory.New[Account]()
		if _, err := session.New(session.Config[Account]{Accounts: accounts}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("the error is %v, want %s", err, want)
		}
	}
	type NoKey struct {
		Name string `json:"name"`
	}
	if _, err := session.New(session.Config[NoKey]{Accounts: new(password.Accounts[NoKey])}); err == nil {
		t.Error("users without an identifier are accepted")
	}
}

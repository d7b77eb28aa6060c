package session_test

import (
	"strings"
	"testing"

	"github.com/trove-api/trove/access/session"
	"github.com/trove-api/trove/store/memory"
)

func TestErrorsOfTheConfigComeAtOnce(t *testing.T) {
	t.Parallel()
	_, err := session.New(session.Config[User]{Username: "usernam"})
	want := `session.Config: Users is missing; it must be the store of the users
session.Config: Username: User has no field "usernam"; did you mean "username"?
session.Config: Password is missing; it must return a pointer to the field with the password`
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
	for want, config := range map[string]session.Config[Account]{
		`Account.Email can be the same for several users; tag it api:"unique"`:        {Username: "email"},
		`Account.Age is a int; it must be a string`:                                   {Username: "age"},
		`Account.Nick is a *string; it must be a string`:                              {Username: "nick"},
		`clients can read Account.Secret; tag it api:"writeonly" or api:"hidden"`:     {Password: func(a *Account) *string { return &a.Secret }},
		`Password must return a pointer to a field of Account that is stored`:         {Password: func(a *Account) *string { return &a.Private }},
		`session.Config: Password must return a pointer to a field of Account that i`: {Password: func(*Account) *string { return &outside }},
		`session.Config: Password must return a pointer to a field of Account that`:   {Password: func(*Account) *string { return nil }},
	} {
		config.Users = memory.New[Account]()
		if _, err := session.New(config); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("the error is %v, want %s", err, want)
		}
	}
	type NoKey struct {
		Name string `json:"name"`
	}
	if _, err := session.New(session.Config[NoKey]{}); err == nil {
		t.Error("users without an identifier are accepted")
	}
}

package session

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/trove-api/trove/internal/check"
	"github.com/trove-api/trove/store/memory"
)

const lifetime = 14 * 24 * time.Hour

// New returns sessions for accounts. It returns all errors of the config and of the accounts at once: the struct U must
// have an identifier, a unique name, and a password that clients cannot read.
func New[U any](config Config[U]) (*Sessions[U], error) {
	if config.Accounts == nil {
		return nil, errors.New("session.Config: Accounts is missing; it must be the password.Accounts of the users")
	}
	if strings.HasPrefix(config.Cookie, "__") {
		return nil, fmt.Errorf("session.Config: Cookie is %q; write it without the prefix, which New adds unless Insecure is set", config.Cookie)
	}
	config.Cookie = cmp.Or(config.Cookie, "session")
	if !config.Insecure {
		config.Cookie = "__Host-" + config.Cookie
	}
	if config.Lifetime <= 0 {
		config.Lifetime = lifetime
	}
	if config.Sessions == nil {
		config.Sessions = memory.New[Session]()
	}
	accounts := config.Accounts
	user, name, err := check.Accounts(accounts.Store, accounts.Name, accounts.Password)
	if err != nil {
		return nil, err
	}
	return &Sessions[U]{config, user.Identifier(), name}, nil
}

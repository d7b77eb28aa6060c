package session

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"time"

	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/naming"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
)

const lifetime = 14 * 24 * time.Hour

// New returns sessions for accounts. It returns all errors of the config and of the accounts at once: the struct U must
// have an identifier, a unique name, and a password that clients cannot read.
func New[U any](config Config[U]) (*Sessions[U], error) {
	if config.Accounts == nil {
		return nil, errors.New("session.Config: Accounts is missing; it must be the password.Accounts of the users")
	}
	config.Cookie = cmp.Or(config.Cookie, "session")
	if config.Lifetime <= 0 {
		config.Lifetime = lifetime
	}
	if config.Sessions == nil {
		config.Sessions = memory.New[Session]()
	}
	user, err := model.Compile(reflect.TypeFor[U]())
	if err != nil {
		return nil, err
	}
	accounts := config.Accounts
	name := user.Field(accounts.Name)
	if err := errors.Join(checkUsers(accounts.Store), checkName(user, accounts.Name, name), checkPassword(user, accounts.Password)); err != nil {
		return nil, err
	}
	return &Sessions[U]{config, user.Identifier(), name}, nil
}

func checkUsers[U any](users store.Store[U]) error {
	if users == nil {
		return errors.New("password.Accounts: Store is missing; it must be the store of the users")
	}
	return nil
}

// checkName returns an error unless a field identifies one user.
func checkName(user *model.Struct, name string, f *model.Field) error {
	switch {
	case f == nil:
		var names []string
		for _, each := range user.Fields {
			if each.Type.Kind == model.String {
				names = append(names, each.Name)
			}
		}
		return fmt.Errorf("password.Accounts: Name: %s has no field %q%s", user.Go.Name(), name, naming.Allowed(name, names))
	case f.Type.Kind != model.String || f.Type.Nullable:
		return fmt.Errorf("password.Accounts: Name: %s.%s has the type %s; it must be a string", user.Go.Name(), f.GoPath, f.Type.Go)
	case !f.Unique && !f.Identifier:
		return fmt.Errorf(`password.Accounts: Name: %s.%s can be the same for several users; tag it api:"unique"`, user.Go.Name(), f.GoPath)
	}
	return nil
}

// checkPassword returns an error if clients can read the password.
func checkPassword[U any](user *model.Struct, of func(*U) *string) error {
	if of == nil {
		return errors.New("password.Accounts: Password is missing; it must return a pointer to the field with the password")
	}
	record := new(U)
	at := of(record)
	for _, f := range user.Fields {
		if at != nil && f.Value(reflect.ValueOf(record).Elem()).Addr().UnsafePointer() == reflect.ValueOf(at).UnsafePointer() {
			if f.Readable() {
				return fmt.Errorf(`password.Accounts: Password: clients can read %s.%s; tag it api:"writeonly" or api:"hidden"`, user.Go.Name(), f.GoPath)
			}
			return nil
		}
	}
	return fmt.Errorf("password.Accounts: Password must return a pointer to a field of %s that is stored", user.Go.Name())
}

package session

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"time"

	"github.com/trove-api/trove/access/password"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/naming"
)

const lifetime = 14 * 24 * time.Hour

// New returns sessions for the users of a store. It returns all errors of the config at once. The struct U must have an
// identifier, a unique field for Config.Username, and a password that clients cannot read.
func New[U any](config Config[U]) (*Sessions[U], error) {
	config.Username = cmp.Or(config.Username, "username")
	config.Cookie = cmp.Or(config.Cookie, "session")
	if config.Lifetime <= 0 {
		config.Lifetime = lifetime
	}
	if config.Passwords == nil {
		config.Passwords = new(password.Hasher)
	}
	if config.Sessions == nil {
		config.Sessions = inMemory()
	}
	user, err := model.Compile(reflect.TypeFor[U]())
	if err != nil {
		return nil, err
	}
	if err := errors.Join(checkUsers(config), checkUsername(user, config.Username), checkPassword(user, config.Password)); err != nil {
		return nil, err
	}
	return &Sessions[U]{config, user.Identifier()}, nil
}

func checkUsers[U any](config Config[U]) error {
	if config.Users == nil {
		return errors.New("session.Config: Users is missing; it must be the store of the users")
	}
	return nil
}

// checkUsername returns an error unless a name identifies one user.
func checkUsername(user *model.Struct, name string) error {
	f := user.Field(name)
	switch {
	case f == nil:
		var names []string
		for _, each := range user.Fields {
			if each.Type.Kind == model.String {
				names = append(names, each.Name)
			}
		}
		return fmt.Errorf("session.Config: Username: %s has no field %q%s", user.Go.Name(), name, naming.DidYouMean(name, names))
	case f.Type.Kind != model.String || f.Type.Nullable:
		return fmt.Errorf("session.Config: Username: %s.%s is a %s; it must be a string", user.Go.Name(), f.GoPath, f.Type.Go)
	case !f.Unique && !f.Identifier:
		return fmt.Errorf(`session.Config: Username: %s.%s can be the same for several users; tag it api:"unique"`, user.Go.Name(), f.GoPath)
	}
	return nil
}

// checkPassword returns an error if clients can read the password.
func checkPassword[U any](user *model.Struct, of func(*U) *string) error {
	if of == nil {
		return errors.New("session.Config: Password is missing; it must return a pointer to the field with the password")
	}
	record := new(U)
	at := of(record)
	for _, f := range user.Fields {
		if at != nil && f.Value(reflect.ValueOf(record).Elem()).Addr().UnsafePointer() == reflect.ValueOf(at).UnsafePointer() {
			if f.Readable() {
				return fmt.Errorf(`session.Config: Password: clients can read %s.%s; tag it api:"writeonly" or api:"hidden"`, user.Go.Name(), f.GoPath)
			}
			return nil
		}
	}
	return fmt.Errorf("session.Config: Password must return a pointer to a field of %s that is stored", user.Go.Name())
}

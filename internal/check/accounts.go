package check

import (
	"errors"
	"fmt"
	"reflect"

	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/naming"
	"github.com/trove-api/trove/store"
)

// Accounts returns the struct of the users of a password.Accounts, and its field with the name that users sign in with.
// The error joins all reasons why users could not sign in safely.
func Accounts[U any](users store.Store[U], name string, password func(*U) *string) (user *model.Struct, named *model.Field, err error) {
	user, err = model.Compile(reflect.TypeFor[U]())
	if err != nil {
		return nil, nil, err
	}
	if users == nil {
		err = errors.New("password.Accounts: Store is missing; it must be the store of the users")
	}
	named = user.Field(name)
	return user, named, errors.Join(err, accountName(user, name, named), accountPassword(user, password))
}

// accountName returns an error unless a field identifies one user.
func accountName(user *model.Struct, name string, f *model.Field) error {
	switch {
	case f == nil:
		names := user.Names(func(f *model.Field) bool { return f.Type.Kind == model.String })
		return fmt.Errorf("password.Accounts: Name: %s has no field %q%s", user.Go.Name(), name, naming.Allowed(name, names))
	case f.Type.Kind != model.String || f.Type.Nullable:
		return fmt.Errorf("password.Accounts: Name: %s.%s has the type %s; it must be a string", user.Go.Name(), f.GoPath, f.Type.Go)
	case !f.Unique && !f.Identifier:
		return fmt.Errorf(`password.Accounts: Name: %s.%s can be the same for several users; tag it api:"unique"`, user.Go.Name(), f.GoPath)
	}
	return nil
}

// accountPassword returns an error unless stores keep only hashes in the field with the password.
func accountPassword[U any](user *model.Struct, of func(*U) *string) error {
	if of == nil {
		return errors.New("password.Accounts: Password is missing; it must return a pointer to the field with the password")
	}
	record := new(U)
	at := of(record)
	for _, f := range user.Fields {
		if at != nil && f.Value(reflect.ValueOf(record).Elem()).Addr().UnsafePointer() == reflect.ValueOf(at).UnsafePointer() {
			if !f.Password {
				return fmt.Errorf(`password.Accounts: Password: stores would keep a plain %s.%s; tag it api:"password"`, user.Go.Name(), f.GoPath)
			}
			return nil
		}
	}
	return fmt.Errorf("password.Accounts: Password must return a pointer to a field of %s that is stored", user.Go.Name())
}

package check

import (
	"errors"
	"fmt"
	"reflect"
	"slices"

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
	var errs []error
	if users == nil {
		errs = append(errs, errors.New("password.Accounts: Store is missing; it must be the store of the users"))
	}
	named = user.Field(name)
	switch { // the field must identify one user
	case named == nil:
		names := user.Names(func(f *model.Field) bool { return f.Type.Kind == model.String })
		err = fmt.Errorf("password.Accounts: Name: %s has no field %q%s", user.Go.Name(), name, naming.Allowed(name, names))
	case named.Type.Kind != model.String || named.Type.Nullable:
		err = fmt.Errorf("password.Accounts: Name: %s.%s has the type %s; it must be a string", user.Go.Name(), named.GoPath, named.Type.Go)
	case !named.Unique && !named.Identifier:
		err = fmt.Errorf(`password.Accounts: Name: %s.%s can be the same for several users; tag it api:"unique"`, user.Go.Name(), named.GoPath)
	}
	errs = append(errs, err)
	if password == nil {
		errs = append(errs, errors.New("password.Accounts: Password is missing; it must return a pointer to the field with the password"))
		return user, named, errors.Join(errs...)
	}
	record := new(U)
	at := reflect.ValueOf(password(record)).UnsafePointer()
	isPassword := func(f *model.Field) bool { return f.Value(reflect.ValueOf(record).Elem()).Addr().UnsafePointer() == at }
	switch i := slices.IndexFunc(user.Fields, isPassword); { // stores keep only hashes in it
	case i < 0:
		errs = append(errs, fmt.Errorf("password.Accounts: Password must return a pointer to a field of %s that is stored", user.Go.Name()))
	case !user.Fields[i].Password:
		errs = append(errs, fmt.Errorf(`password.Accounts: Password: stores would keep a plain %s.%s; tag it api:"password"`,
			user.Go.Name(), user.Fields[i].GoPath))
	}
	return user, named, errors.Join(errs...)
}

package password

import (
	"cmp"
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"net/http"
	"reflect"
	"sync"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/internal/check"
	"github.com/trove-api/trove/internal/model"
	"github.com/trove-api/trove/internal/passwords"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/store"
)

// Accounts lets users sign in with a name and a password. It stores only the hash of the password, in a field of the
// user:
//
//	accounts := &password.Accounts[User]{Store: users, Name: "email", Password: func(u *User) *string { return &u.Password }}
//
//	resource.Config{Authentication: []access.Scheme{accounts.Basic("login")}}
//	resource.Of[User]{Store: users, BeforeTransaction: accounts.Hash}
//
// The password is a string with the word password: validate:"min=12,max=200" api:"password". Stores save only hashes in it,
// so a program that forgets to hash gets an error and never stores a password. Clients cannot send a hash. New reports a
// resource whose clients set the field if it has no BeforeTransaction, but cannot know whether yours hashes.
//
// Spellings of a name are one name: Hash stores it without spaces at the ends and invisible characters, in lower case, with
// full-width and half-width characters in their normal width, and composed (Unicode normalization form C). Sign-in accepts
// all spellings. Letters of other scripts that look alike are other names: the Cyrillic а is not the Latin a. A program that
// stores users itself calls Hash first, without a request. If it stored the name Admin as it is, clients could
// register admin.
//
// Accounts limits guesses, by Verify and Basic together. A client may give ten wrong passwords for a name, and then one in
// five minutes; for different names 100, and then one in ten seconds. Further tries, even with the correct password, get an
// [operation.Error] with the status 429 and RetryAfter, without the slow hash. If a name gets many wrong passwords, each
// client has fewer tries, but one that has not failed with the name can always sign in. So no other client can lock a user
// out. Each instance of a service counts for itself, in about 2 MB of memory at most.
//
// Accounts is safe for concurrent use. Do not copy it or change its fields after the first use.
type Accounts[U any] struct {
	// Store has the users. Required.
	Store store.Store[U]
	// Name is the JSON name of the field with the user's name or e-mail address: a unique string. Required.
	Name string
	// Password returns the field with the password, for Hash to replace, and for Verify to compare. Required.
	Password func(user *U) *string
	// Hasher hashes the passwords. Default: a Hasher of its own, with the default costs.
	Hasher *Hasher
	// Client identifies the client of a request, for the limit of guesses. Behind a proxy it must return the IP address
	// that the proxy puts into a header field. Otherwise all clients are one, and an attacker who has failed too often also
	// blocks the owner of the name. Default: the host of RemoteAddr. Of an IP address of version 6, only the first 64 bits
	// count.
	Client func(*http.Request) string

	standard Hasher
	guesses  guesses
	recent   verified
	once     sync.Once
	users    *model.Struct // nil if the accounts are invalid
	named    *model.Field
	rules    *check.Checker // of names
	err      error          // why they are invalid
}

// Hash replaces a new password with its hash, and a new name with its normal form. Use it as BeforeTransaction of the
// users' resource, so that it runs after the rules of the fields are checked. A change of other fields keeps both. For
// users that the program stores itself, such as the first admin, req is nil.
//
// Hash does not run for a record that a Handler changes itself, so store what [Hasher.Hash] returns there. Stores reject
// anything else. The error is that of [Hasher.Hash], or a violation for a name without visible characters, or whose normal
// form breaks a rule of the field; rules of Config.Rules and rules about other fields are not checked again. A name that
// is the identifier is not changed; unless it is in normal form, it is a violation.
func (a *Accounts[U]) Hash(ctx context.Context, req *operation.Request, user *U) error {
	var before *U
	if req != nil {
		before, _ = req.Previous.(*U)
	}
	if err := a.rename(ctx, user, before); err != nil {
		return err
	}
	field := a.Password(user)
	if before != nil && *a.Password(before) == *field {
		return nil
	}
	hash, err := a.hasher().Hash(ctx, *field)
	if err == nil {
		*field = hash
	}
	return err
}

// Verify returns the user with a name and password, for sign-in operations of your own. It returns
// [access.ErrCredentials] for an unknown user and for a wrong password, after the same work. It returns an
// [operation.Error] with the status 429 for a client that has failed too often. The client is that of the request in the
// context, which hooks and handlers get. Other errors are those of the store and of [Hasher.Matches].
//
// If the stored hash costs less than those of Hasher, Verify and Basic replace it when the password is correct. This
// changes the user's record once, in a transaction of its own.
func (a *Accounts[U]) Verify(ctx context.Context, name, password string) (*U, error) {
	return a.check(ctx, name, password, nil)
}

// Basic returns a scheme with that name for HTTP Basic authentication (RFC 7617). The principal is the user, a *U, with
// every scope. Clients send the password with each request, so serve it with TLS. The scheme keeps keyed hashes of the
// last 1,000 correct passwords in memory, and accepts these without the slow hash until the user's password changes.
func (a *Accounts[U]) Basic(name string) access.Scheme {
	scheme := access.Basic(name, func(ctx context.Context, name, password string) (*U, access.Scopes, error) {
		user, err := a.check(ctx, name, password, &a.recent)
		return user, access.Unlimited, err
	})
	scheme.Err = a.compile()
	return scheme
}

// check returns the user with a name and password. If recent is not nil, passwords that it has need no hash.
func (a *Accounts[U]) check(ctx context.Context, name, password string, recent *verified) (*U, error) {
	guess := a.guesses.of(clientOf(ctx, a.Client), normal(name))
	if err := a.guesses.allow(guess); err != nil {
		return nil, err
	}
	user, hash, err := a.find(ctx, name)
	if err != nil || recent != nil && recent.has(hash, password) {
		return user, err
	}
	end, err := a.guesses.turn(ctx, guess)
	if err != nil {
		return nil, err
	}
	defer end()
	if recent != nil && recent.has(hash, password) { // in another request that came before
		return user, nil
	}
	if err := a.guesses.begin(guess); err != nil {
		return nil, err
	}
	if password == "" { // which is not a secret
		hash = ""
	}
	isRight, err := a.hasher().Matches(ctx, password, hash)
	if err == nil && !isRight {
		a.guesses.failed(guess)
		return nil, access.ErrCredentials
	}
	a.guesses.takeBack(guess)
	if err != nil {
		return nil, err
	}
	if user = a.strengthen(ctx, user, password); recent != nil {
		recent.add(*a.Password(user), password)
	}
	return user, nil
}

// compile reads the struct of the users. It returns all errors of the accounts.
func (a *Accounts[U]) compile() error {
	a.once.Do(func() {
		if a.users, a.named, a.err = check.Accounts(a.Store, a.Name, a.Password); a.err == nil {
			a.rules, a.err = check.OfField(a.users, a.named)
		}
	})
	return a.err
}

// strengthen stores a better hash of a correct password if that of the user costs less than new ones, and returns the
// stored user. The salt stays, because sessions know the password by it. A password that another request has changed
// meanwhile stays. Errors are ignored, because the user has signed in; the next sign-in tries again.
func (a *Accounts[U]) strengthen(ctx context.Context, user *U, password string) *U {
	hash := *a.Password(user)
	kept, ok := passwords.Parse(hash)
	if !ok || kept.Work() >= a.hasher().costs().Work() || a.compile() != nil {
		return user
	}
	if len(kept.Salt) < passwords.SaltBytes {
		kept.Salt = []byte(rand.Text())[:passwords.SaltBytes]
	}
	stronger, err := a.hasher().hash(ctx, password, kept.Salt)
	if err != nil {
		return user
	}
	var changed *U
	err = a.Store.Transact(ctx, func(ctx context.Context, tx store.Tx[U]) error {
		changed = nil
		stored, err := tx.Get(ctx, a.users.Identifier().Of(user))
		if err != nil || *a.Password(stored) != hash {
			return err
		}
		*a.Password(stored), changed = stronger, stored
		return tx.Update(ctx, a.users.Identifier().Of(user), stored)
	})
	if err != nil || changed == nil {
		return user
	}
	return changed
}

// find returns the user with a name and the hash of their password, or no user and "". The name as it is takes precedence
// over its normal form, because users who were not created with Hash may have another.
func (a *Accounts[U]) find(ctx context.Context, name string) (user *U, hash string, err error) {
	if err := a.compile(); err != nil {
		return nil, "", err
	}
	page, err := a.Store.List(ctx, store.Query{
		Where: []store.Condition{{Fields: []string{a.Name}, Operator: store.Equal, Values: []any{name, normal(name)}}}, Limit: 2,
	})
	if err == nil && len(page.Broken) > 0 { // a record matches, but it cannot be read
		err = errors.Join(page.Broken...)
	}
	if err != nil || len(page.Items) == 0 {
		return nil, "", err
	}
	user = page.Items[0]
	for _, each := range page.Items {
		if a.named.Value(reflect.ValueOf(each).Elem()).String() == name {
			user = each
		}
	}
	return user, *a.Password(user), nil
}

func (a *Accounts[U]) hasher() *Hasher { return cmp.Or(a.Hasher, &a.standard) }

// recently is how many passwords a scheme remembers.
const recently = 1000

// verified remembers which passwords matched which hashes. It holds neither, only sums with a random key.
type verified struct {
	once sync.Once
	key  [sha256.Size]byte

	mu   sync.Mutex
	sums map[[sha256.Size]byte]bool
}

// has reports whether a password has matched a hash, which contains a salt and is the user's alone.
func (v *verified) has(hash, password string) bool {
	sum := v.sum(hash, password)
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.sums[sum]
}

// add remembers a password that matches a hash. It forgets all others when there are too many.
func (v *verified) add(hash, password string) {
	sum := v.sum(hash, password)
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.sums == nil || len(v.sums) >= recently {
		v.sums = map[[sha256.Size]byte]bool{}
	}
	v.sums[sum] = true
}

func (v *verified) sum(hash, password string) (sum [sha256.Size]byte) {
	v.once.Do(func() { _, _ = rand.Read(v.key[:]) }) // never fails
	mac := hmac.New(sha256.New, v.key[:])
	mac.Write([]byte(hash + "\x00" + password)) // a hash has no zero byte
	mac.Sum(sum[:0])
	return sum
}

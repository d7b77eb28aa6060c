// Package session signs people in with a user name and a password, and keeps them signed in with a cookie.
//
// It needs the accounts of package access/password, and a table for the sessions:
//
//	accounts := &password.Accounts[User]{Store: users, Name: "username", Password: func(u *User) *string { return &u.Password }}
//	sessions, err := session.New(session.Config[User]{Accounts: accounts, Sessions: sqlstore.Table[session.Session](db)})
//	// …
//	api, err := resource.New(
//		resource.Config{
//			Authentication: []access.Scheme{sessions.Scheme()}, // the principal is a *User
//			Around: []resource.Around{{Operations: []string{"loginSession", "passwordSession"}, Middleware: middleware.Rate(20)}},
//		},
//		resource.Of[User]{Store: users, BeforeTransaction: accounts.Hash, Access: rules},
//		sessions.Resource(), // POST /api/login, /api/logout and /api/password
//	)
//
// Tag the password of the user api:"password,createonly", so that it changes only by POST /api/password, which requires
// the current one.
//
// The cookie has a random secret, and the store has only its SHA-256. A sign-in replaces the session of the request. A
// session ends at a fixed time after the sign-in, when its user signs out or is deleted, and whenever the user gets a new
// password in any way, because it belongs to the password that started it. An unknown user name takes as long
// as a wrong password and gets the same response.
//
// The cookie is Secure, HttpOnly and SameSite=Lax, and its name begins with "__Host-", regardless of what proxies say. So
// only the service itself can set it, and browsers send it over TLS alone. On the machine of a developer, Chromium,
// Firefox and curl treat http://localhost like TLS. See [Config] for services without TLS. For cookies, Trove rejects
// changes from pages of other origins. The accounts limit wrong passwords; middleware.Rate above also limits correct ones.
package session

// Package session signs people in with a user name and a password, and keeps them signed in with a cookie.
//
// Declare users with a unique name and a password that no response has, and create the sessions from their store:
//
//	type User struct {
//		ID       int64  `json:"id"`
//		Username string `json:"username" validate:"notblank,max=50" api:"unique"`
//		Password string `json:"password" validate:"min=8,max=200" api:"writeonly,createonly"`
//	}
//
//	sessions, err := session.New(session.Config[User]{
//		Users:    users,
//		Sessions: sqlstore.Table[session.Session](db),
//		Password: func(u *User) *string { return &u.Password },
//	})
//	// …
//	api, err := resource.New(
//		resource.Config{
//			Authentication: []access.Scheme{sessions.Scheme()}, // the principal is a *User
//			Middleware:     []func(http.Handler) http.Handler{edge.Rate(20, "/api/login", "/api/password")},
//		},
//		resource.Of[User]{Store: users, BeforeTransaction: sessions.HashPassword, Access: rules},
//		sessions.Resource(), // POST /api/login, /api/logout and /api/password
//	)
//
// The cookie has a random secret, and the store has only its SHA-256. A sign-in replaces the session of the request. A
// session ends at a fixed time after the sign-in, when its user signs out or is deleted, and whenever the stored
// password changes in any way, because it belongs to the password that started it. An unknown user name takes as long
// as a wrong password and gets the same response.
//
// The cookie is HttpOnly and SameSite=Lax. It is also Secure, unless the request came without TLS to a loopback name
// such as localhost. So over plain HTTP, sign-in works only on the same machine. For cookies, Trove rejects changes from
// pages of other origins. Always limit how often clients may try passwords, as edge.Rate does above.
package session

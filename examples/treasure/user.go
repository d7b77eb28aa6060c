package main

import (
	"net/http"
	"strconv"

	"github.com/trove-api/trove/operation"
)

// User is the principal of a request.
type User struct {
	ID int64
}

// String identifies the user, so that users do not share their Idempotency-Keys.
func (u User) String() string { return "user " + strconv.FormatInt(u.ID, 10) }

// authenticate sets the user of each request. REPLACE THIS WITH REAL AUTHENTICATION: read a session or token, and put
// its user into the context, or return 401. In the example everyone is the same demo user.
func authenticate(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		demo := User{ID: 1}
		next.ServeHTTP(w, r.WithContext(operation.WithPrincipal(r.Context(), demo)))
	})
}

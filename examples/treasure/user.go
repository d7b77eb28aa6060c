package main

import (
	"net/http"
	"strconv"

	"github.com/trove-api/trove/operation"
)

// User is who makes a request.
type User struct {
	ID int64
}

// String names the user, so that no two share their Idempotency-Keys.
func (u User) String() string { return "user " + strconv.FormatInt(u.ID, 10) }

// authenticate says who makes each request. THIS IS THE PLACE FOR REAL AUTHENTICATION:
// read a session or a token here, answer 401 where there is none, and put the user it
// stands for into the context. The example lets everybody be one demo user.
func authenticate(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		demo := User{ID: 1}
		next.ServeHTTP(w, r.WithContext(operation.WithPrincipal(r.Context(), demo)))
	})
}

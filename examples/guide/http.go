package main

import (
	"context"
	"net/http"
	"strconv"
	"time"

	"github.com/trove-api/trove/middleware"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
)

type Book struct {
	ID      int64     `json:"id"`
	Title   string    `json:"title"`
	Version int       `json:"version" api:"version"`  // incremented by the store; part of the ETag
	Created time.Time `json:"created" api:"created"`  // set by the store, once
	Changed time.Time `json:"changed" api:"modified"` // set by the store; sent as Last-Modified
}

// conditional declares books that clients change only with If-Match.
func conditional(books store.Store[Book]) resource.Declaration {
	return resource.Of[Book]{
		Store:               books,
		RequirePrecondition: true,                 // without If-Match a change returns 428
		CacheControl:        "private, max-age=5", // default: no-cache
		Operations:          append(operation.Standard(), recent),
	}
}

var recent = operation.GetCollection{
	Name: "recent", URITemplate: "/books/recent{._format}",
	Deprecated:      time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), // Deprecation: @1767225600
	Sunset:          time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC), // Sunset: Fri, 01 Jan 2027 00:00:00 GMT
	DeprecationLink: "https://example.com/moving",                // Link: …; rel="deprecation"
}

type Order struct {
	ID   int64  `json:"id"`
	Item string `json:"item" validate:"notblank"`
}

// retryable declares orders that a client can send twice and create once.
func retryable(orders store.Store[Order]) resource.Declaration {
	return resource.Of[Order]{Store: orders, Idempotency: 24 * time.Hour, Operations: append(operation.Standard(), login)}
}

// String distinguishes the idempotency keys of users. It is not the name, because two users can have the same one.
func (u User) String() string { return strconv.FormatInt(u.ID, 10) }

type Login struct {
	Name string `json:"name"`
}

var login = operation.Post{
	Name: "login", URITemplate: "/login", Handler: operation.Handle(startSession),
	ResponseHeader: map[string]string{"Set-Cookie": "The session.", "Location": "The path of the user."},
}

func startSession(ctx context.Context, _ *Order, _ Login) (struct{}, error) {
	cookie := http.Cookie{Name: "session", Value: "secret", HttpOnly: true, Secure: true, SameSite: http.SameSiteLaxMode}
	req, _ := operation.RequestFrom(ctx)
	req.ResponseHeader.Set("Location", "/api/users/1")
	req.ResponseHeader.Add("Set-Cookie", cookie.String())
	return struct{}{}, nil // 204
}

var around = []func(http.Handler) http.Handler{
	middleware.Origins("https://shop.example"),
	middleware.Rate(6000), // all requests except /healthz and /readyz
}

var signIns = resource.Around{ // and registrations together
	Operations: []string{"loginOrder", "createUser"}, Middleware: middleware.Rate(100),
}

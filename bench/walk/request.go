package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime/coverage"
	"strings"

	"github.com/trove-api/trove/access"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/sqlstore"
	"github.com/trove-api/trove/store/sqlstore/sqlite"
)

// user owns treasures and makes the requests.
type user struct {
	ID   int64  `json:"id" api:"id"`
	Name string `json:"name" validate:"required,max=100"`
}

// treasure is the record of the requests.
type treasure struct {
	ID        int64  `json:"id" api:"id"`
	Name      string `json:"name" validate:"required,max=100" api:"filter=partial"`
	Value     int    `json:"value" validate:"gte=0" api:"sort"`
	Published bool   `json:"published" api:"filter"`
	Owner     int64  `json:"owner" api:"ref=User,expand,filter"`
}

// names are the names of the requests.
var names = [...]string{"post", "list"}

// requestOf returns the request with a name.
func requestOf(ctx context.Context, name string) (request *http.Request, status int) {
	if name == "post" {
		body := strings.NewReader(`{"name":"Crown","value":3,"published":true,"owner":"/api/users/1"}`)
		request, status = httptest.NewRequestWithContext(ctx, http.MethodPost, "/api/treasures", body), http.StatusCreated
		request.Header.Set("Content-Type", "application/json")
	} else {
		request, status = httptest.NewRequestWithContext(ctx, http.MethodGet, "/api/treasures?name=row&sort=-value&expand=owner", http.NoBody), http.StatusOK
	}
	request.Header.Set("Authorization", "Bearer secret")
	return request, status
}

// send sends each request twice and writes the counters of the second one, because the first one also fills caches.
func send(ctx context.Context, dir string) (err error) {
	db, err := sqlite.Open(":memory:")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	api, err := newAPI(ctx, db)
	if err != nil {
		return err
	}
	for _, name := range names {
		if err := exchange(ctx, api, name); err != nil {
			return err
		}
		if err := coverage.ClearCounters(); err != nil {
			return err
		}
		if err := exchange(ctx, api, name); err != nil {
			return err
		}
		to := filepath.Join(dir, name)
		if err := errors.Join(os.Mkdir(to, 0o700), coverage.WriteCountersDir(to), coverage.WriteMetaDir(to)); err != nil {
			return err
		}
	}
	return nil
}

// exchange sends a request.
func exchange(ctx context.Context, api http.Handler, name string) error {
	request, status := requestOf(ctx, name)
	w := httptest.NewRecorder()
	if api.ServeHTTP(w, request); w.Code != status {
		return fmt.Errorf("%s: status %d: %s", name, w.Code, w.Body)
	}
	return nil
}

// newAPI returns treasures on SQLite whose owners and readers a bearer token names.
func newAPI(ctx context.Context, db *sqlstore.DB) (*resource.API, error) {
	users, treasures := sqlstore.Table[user](db), sqlstore.Table[treasure](db)
	owner := &user{Name: "Ann"}
	err := db.Create(ctx, users, treasures)
	if err == nil {
		err = store.Insert(ctx, users, owner)
	}
	if err == nil {
		err = store.Insert(ctx, treasures, &treasure{Name: "Arrow", Published: true, Owner: owner.ID}, &treasure{Name: "Row boat", Owner: owner.ID})
	}
	if err != nil {
		return nil, err
	}
	scheme := access.Bearer("token", func(_ context.Context, token string) (*user, access.Scopes, error) {
		if token != "secret" {
			return nil, nil, access.ErrCredentials
		}
		return owner, access.Unlimited, nil
	})
	seen := access.Any(access.Where("published", true), access.Equal("owner", func(u *user) int64 { return u.ID }))
	return resource.New(resource.Config{Authentication: []access.Scheme{scheme}},
		resource.Of[user]{ShortName: "User", Store: users, Access: access.Rules{
			Read: access.Public, Create: access.Public, Update: access.Public, Delete: access.Public,
		}},
		resource.Of[treasure]{
			ShortName: "Treasure", Store: treasures,
			Access:  access.Rules{Read: seen, Create: seen, Update: seen, Delete: seen},
			Prepare: func(context.Context, *operation.Request, *treasure) error { return nil },
		})
}

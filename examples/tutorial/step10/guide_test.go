package main

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strings"
	"testing"

	"github.com/trove-api/trove/openapi/openapitest"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/memory"
	"github.com/trove-api/trove/store/sqlstore/postgres"
	"github.com/trove-api/trove/store/sqlstore/sqlite"
	"github.com/trove-api/trove/store/storetest"
)

func TestATreasureHasAName(t *testing.T) {
	t.Parallel()
	api, ann, _ := service(t)
	body := send(t, api, ann, "POST /api/dragon_treasures", `{"name":" "}`, 400)
	if !strings.Contains(body, `"name":"name must not be blank"`) {
		t.Errorf("the response is %s", body)
	}
}

func TestClientsMayRelyOnTheDocument(t *testing.T) {
	t.Parallel()
	api, ann, _ := service(t)
	openapitest.Golden(t, api, "testdata/openapi.json")
	send(t, openapitest.Record(t, api), ann, "GET /api/users/1/treasures", "", 200)
}

func TestGuessesOfAPasswordAreLimited(t *testing.T) {
	t.Parallel()
	api, ann, _ := service(t)
	wrong := http.Header{"Authorization": {"Basic " + base64.StdEncoding.EncodeToString([]byte("ann:wrong horse"))}}
	for range 10 {
		send(t, api, wrong, "GET /api/users/1", "", 401)
	}
	send(t, api, wrong, "GET /api/users/1", "", 429)
	send(t, api, ann, "GET /api/users/1", "", 429)
}

// audited wraps a store.
type audited[T any] struct{ store.Store[T] }

func TestTheStoreKeepsToTheRules(t *testing.T) {
	t.Parallel()
	var suite storetest.Suite[any]
	suite.Integers, suite.Strings, suite.Values = open, open, open
	suite.Run(t)
}

func open[T any](*testing.T, any) store.Store[T] { return audited[T]{memory.New[T]()} }

func FuzzBodies(f *testing.F) {
	db, err := sqlite.Open(":memory:")
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { _ = db.Close() })
	api, err := newAPI(f.Context(), db)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(`{"username":"ann","password":"correct horse"}`)
	f.Add(`[{"username":null}]`)
	f.Fuzz(func(t *testing.T, body string) {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/api/users", strings.NewReader(body))
		r.Header.Set("Content-Type", "application/json")
		w := httptest.NewRecorder()
		if api.ServeHTTP(w, r); w.Code >= 500 {
			t.Errorf("%q returns %d: %s", body, w.Code, w.Body)
		}
	})
}

func TestOnPostgreSQL(t *testing.T) {
	t.Parallel()
	dsn := os.Getenv("TROVE_TEST_POSTGRES")
	if dsn == "" {
		t.Skip("set TROVE_TEST_POSTGRES to the URL of a server")
	}
	schema := "tutorial_" + strings.ToLower(rand.Text())
	admin, err := postgres.Open(t.Context(), dsn)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = admin.Close() }()
	if _, err := admin.Exec(t.Context(), "CREATE SCHEMA "+schema); err != nil {
		t.Fatal(err)
	}
	defer func() { _, _ = admin.Exec(context.WithoutCancel(t.Context()), "DROP SCHEMA "+schema+" CASCADE") }()
	there, err := url.Parse(dsn)
	if err != nil {
		t.Fatal(err)
	}
	query := there.Query()
	query.Set("search_path", schema)
	there.RawQuery = query.Encode()
	db, err := postgres.Open(t.Context(), there.String())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	api, err := newAPI(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	send(t, api, nil, "POST /api/users", `{"username":"ann","password":"correct horse"}`, 201)
}

package main

import (
	"context"
	"crypto/rand"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/trove-api/trove/access/accesstest"
	"github.com/trove-api/trove/openapi/openapitest"
	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/sqlstore/postgres"
)

// withTokens adds to the demo a token of Ann's that grants nothing, a session of hers, and a
// notification of Bob's.
func withTokens(t *testing.T) *hoard {
	t.Helper()
	h := newHoard(t, ":memory:")
	err := errors.Join(
		store.Insert(t.Context(), h.tokens, &APIToken{Owner: 1, Token: digest("ann-without")}, &APIToken{Owner: 1, Token: digest("ann-session"), Session: true}),
		store.Insert(t.Context(), h.notifications, &Notification{Recipient: 2, Treasure: 1, Message: "Amber amulet has been published."}),
	)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func TestWhoMayDoWhat(t *testing.T) {
	t.Parallel()
	accesstest.Matrix(t, apiOf(t, withTokens(t)), "testdata/access.golden",
		accesstest.Callers{
			{Name: "anonymous"},
			{Name: "ann", Header: as("demo-ann")},
			{Name: "ann-no-scope", Header: as("ann-without")},
			{Name: "ann-session", Header: cookie("ann-session")},
			{Name: "bob", Header: as("demo-bob")},
			{Name: "root", Header: as("demo-root")},
		},
		accesstest.Records{
			"User":           {"ann": "1", "bob": "2", "root": "3"},
			"DragonTreasure": {"ann's": "1", "ann's-draft": "5"},
			"Review":         {"bob's": "1"},
			"Tag":            {"cursed": "1"},
			"APIToken":       {"ann's": "4"}, // not the one that ann herself uses: Matrix deletes it before it creates one like it
			"Notification":   {"bob's": "1"},
			"Quest":          {"active": "2026-11-22"},
		})
}

func TestTheServiceIsAsItsDocumentSays(t *testing.T) {
	t.Parallel()
	h := withTokens(t)
	options := []openapitest.Option{
		openapitest.Requests(50), openapitest.NeverSucceeds("loginSession"), openapitest.Allow("loginSession", 401),
		openapitest.As("ann", as("demo-ann")), openapitest.As("bob", as("demo-bob")),
		openapitest.As("root", as("demo-root")), openapitest.As("nobody", nil),
	}
	if !testing.Short() {
		options = append(options, openapitest.As("ann-no-scope", as("ann-without")), openapitest.As("ann-session", cookie("ann-session")))
	}
	openapitest.Conform(t, apiOf(t, h), options...)
}

func TestTheDocumentIsTheOneThatClientsKnow(t *testing.T) {
	t.Parallel()
	openapitest.Golden(t, apiOf(t, newHoard(t, ":memory:")), "testdata/openapi.json")
}

// onEach runs a test on SQLite and, where TROVE_TEST_POSTGRES has its URL, on PostgreSQL. The
// function is handed the name of a new database.
func onEach(t *testing.T, test func(t *testing.T, name string)) {
	t.Helper()
	t.Run("SQLite", func(t *testing.T) {
		t.Parallel()
		test(t, filepath.Join(t.TempDir(), "hoard.db"))
	})
	t.Run("PostgreSQL", func(t *testing.T) {
		t.Parallel()
		test(t, newPostgres(t))
	})
}

// newPostgres returns the URL of a part of the server that is the test's own.
func newPostgres(t *testing.T) string {
	t.Helper()
	dsn := os.Getenv("TROVE_TEST_POSTGRES")
	if dsn == "" {
		t.Skip("set TROVE_TEST_POSTGRES to run the tests on PostgreSQL")
	}
	server, err := postgres.Open(t.Context(), dsn)
	if err != nil {
		t.Fatal(err)
	}
	name := "hoard_" + strings.ToLower(rand.Text())
	create, drop, option := "CREATE SCHEMA "+name, "DROP SCHEMA "+name+" CASCADE", "search_path="+name
	if os.Getenv("TROVE_TEST_POOLER") != "" { // takes no settings of the server
		create, drop, option = "CREATE DATABASE "+name, "DROP DATABASE "+name+" WITH (FORCE)", "dbname="+name
	}
	if _, err := server.Exec(t.Context(), create); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if _, err := server.Exec(context.Background(), drop); err != nil { // that of the test has ended
			t.Error(err)
		}
		_ = server.Close()
	})
	separator := "?"
	if strings.Contains(dsn, "?") {
		separator = "&"
	}
	return dsn + separator + option
}

package access_test

import (
	"context"
	"log/slog"
	"path/filepath"
	"strings"
	"testing"

	"github.com/trove-api/trove/internal/spec"
	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
	"github.com/trove-api/trove/store/sqlstore"
	"github.com/trove-api/trove/store/sqlstore/sqlite"
)

// Session has a hidden field that must be unique, and one that is looked up.
type Session struct {
	ID   int64  `json:"id"`
	Hash string `json:"hash" api:"hidden,unique" message:"unique: You are signed in already."`
	Seal string `json:"seal" api:"hidden,unique"`
	Key  string `json:"key" api:"hidden,index"`
	Name string `json:"name"`
}

func TestTheMessageOfAHiddenUniqueFieldIsSent(t *testing.T) {
	t.Parallel()
	for name, sessions := range spec.Stores[Session](t) {
		t.Run(name, func(t *testing.T) {
			c := spec.NewClient(t, resource.Config{}, resource.Of[Session]{Store: sessions, Prepare: func(_ context.Context, _ *operation.Request, s *Session) error {
				s.Hash, s.Seal, _ = strings.Cut(s.Name, "/")
				return nil
			}})
			c.Send("POST /api/sessions", `{"name":"a/x"}`).HasStatus(201)
			got := c.Send("POST /api/sessions", `{"name":"a/y"}`)
			if got.Status != 409 || !strings.Contains(got.Body, "You are signed in already.") || strings.Contains(got.Body, "hash") {
				t.Errorf("the message of the field: %d %s", got.Status, got.Body)
			}
			got = c.Send("POST /api/sessions", `{"name":"b/x"}`)
			if got.Status != 409 || strings.Contains(got.Body, "seal") || strings.Contains(got.Body, "Read the record again") {
				t.Errorf("without a message: %d %s", got.Status, got.Body)
			}
		})
	}
}

func TestTheWordIndexMakesAnIndexAndNoParameter(t *testing.T) {
	t.Parallel()
	db, err := sqlite.Open(filepath.Join(t.TempDir(), "index.db"))
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Create(t.Context(), sqlstore.Table[Session](db)); err != nil {
		t.Fatal(err)
	}
	rows, err := db.Query(t.Context(), "SELECT sql FROM sqlite_master WHERE type = 'index' AND sql LIKE '%(`key`%' AND sql NOT LIKE '%UNIQUE%'")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = rows.Close() }()
	if !rows.Next() {
		t.Error("Create makes no index of the field")
	}
	c := spec.NewClient(t, resource.Config{}, resource.Of[Session]{})
	c.Send("GET /api/sessions?key=x", "").HasStatus(400)
}

func TestTheWordIndexIsForValuesThatHaveAnOrder(t *testing.T) {
	t.Parallel()
	_, err := resource.New(resource.Config{}, resource.Of[struct {
		ID  int64    `json:"id"`
		Box spec.Box `json:"box" api:"index"`
	}]{ShortName: "Crate"})
	spec.WantLine(t, err, "Crate: struct{…}.Box: index does not support the type spec.Box; allowed: a bool, number, string, time.Time or a type that marshals itself as text")
}

func TestNewWarnsOfAUniqueWriteonlyFieldOnce(t *testing.T) {
	t.Parallel()
	for tag, want := range map[string]int{"loud": 1, "quiet": 0} {
		var log strings.Builder
		config := resource.Config{Logger: slog.New(slog.NewTextHandler(&log, nil))}
		var declared resource.Declaration = resource.Of[struct {
			ID  int64  `json:"id"`
			PIN string `json:"pin" api:"writeonly,unique"`
		}]{ShortName: "Badge"}
		if tag == "quiet" {
			declared = resource.Of[struct {
				ID  int64  `json:"id"`
				PIN string `json:"pin" api:"writeonly,index"`
			}]{ShortName: "Badge"}
		}
		if _, err := resource.New(config, declared); err != nil {
			t.Fatal(err)
		}
		if got := strings.Count(log.String(), "level=WARN"); got != want || want == 1 && !strings.Contains(log.String(), "resource=Badge field=pin") {
			t.Errorf("%s: the log is %q", tag, log.String())
		}
	}
}

package postgres_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/trove-api/trove/store/sqlstore/postgres"
)

func TestAnInvalidDSNIsReportedWithoutThePassword(t *testing.T) {
	t.Parallel()
	for dsn, want := range map[string]string{
		"postgres://ada:s3cret@localhost:port/books":                             "invalid port",
		"postgres://ada:s3cret@localhost/books?sslmode=perhaps":                  "sslmode",
		"postgres://ada:s3cret@localhost/books?pool_max_conns=many":              "pool_max_conns",
		"postgres://ada:s3cret@localhost/books?pool_max_conns=0":                 "pool_max_conns too small",
		"postgres://ada:s3cret@localhost/books?default_query_exec_mode=none":     "default_query_exec_mode",
		"postgres://ada:s3cret@localhost/books?connect_timeout=soon":             "connect_timeout",
		"host=localhost password=s3cret connect_timeout=soon":                    "connect_timeout",
		"host=localhost password='s3cret' target_session_attrs=none":             "target_session_attrs",
		"postgres://ada:s3cret%zz@localhost/books":                               "percent-encoded",
		"postgres://ada:pa/s3cret@localhost/books":                               "invalid port",
		"postgres://ada:`:s3cret@localhost/books?connect_timeout=soon":           "connect_timeout",
		"postgres://ada@localhost/books?connect_timeout=soon&password=`:+s3cret": "connect_timeout",
		"host=localhost password='s3cret":                                        "dbname=database",
		"s3cret":                                                                 "use postgres://",
	} {
		_, err := postgres.Connect(t.Context(), dsn)
		if err == nil {
			t.Errorf("%s: no error", dsn)
			continue
		}
		text := err.Error()
		if !strings.HasPrefix(text, "store/sqlstore/postgres: the DSN cannot be used: ") || !strings.Contains(text, want) {
			t.Errorf("%s: %s", dsn, text)
		}
		if strings.Contains(text, "s3cret") {
			t.Errorf("the error contains the password: %s", text)
		}
	}
}

func FuzzErrorsOfADSNContainNoPassword(f *testing.F) {
	for _, seed := range []string{"postgres://ada:%s@localhost:x", "password=%s host", "postgres://a:%s?b@c", "postgres://[%s", "%s"} {
		f.Add(strings.Split(seed, "%s")[0], strings.Split(seed, "%s")[1])
	}
	f.Fuzz(func(t *testing.T, before, after string) {
		const password = "correcthorsebattery"
		ctx, cancel := context.WithCancel(t.Context())
		cancel() // a valid DSN is not connected to
		dsn := before + password + after
		if read, err := pgconn.ParseConfig(dsn); err == nil && !strings.Contains(read.Password, password) {
			return // it is another part of the DSN, such as the host, which errors contain
		}
		_, err := postgres.Connect(ctx, dsn)
		if err == nil {
			t.Fatal("a connection without a server")
		}
		if !errors.Is(err, context.Canceled) && strings.Contains(err.Error(), password) {
			t.Errorf("%q and %q: %v", before, after, err)
		}
	})
}

func TestAnUnreachableServerIsReportedWithoutThePassword(t *testing.T) {
	t.Parallel()
	dsn := absent(t)
	_, err := postgres.Connect(t.Context(), dsn)
	if err == nil {
		t.Fatal("no error")
	}
	_, address, _ := strings.Cut(strings.TrimSuffix(dsn, "/books"), "@")
	for _, want := range []string{"store/sqlstore/postgres: cannot connect: ", "user=ada", "database=books", address} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%v: no mention of %s", err, want)
		}
	}
	if strings.Contains(err.Error(), "s3cret") {
		t.Errorf("the error contains the password: %v", err)
	}
}

func TestConnectingEndsWithTheContext(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if _, err := postgres.Connect(ctx, silent(t)); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Open: %v", err)
	}
}

func TestARejectedConnectionIsReportedWithoutThePassword(t *testing.T) {
	t.Parallel()
	direct(t)
	dsn := server(t)
	for name, test := range map[string]struct{ dsn, want string }{
		"another password": {with(dsn, "password", "s3cret"), "28P01"},
		"another database": {with(dsn, "dbname", "nowhere"), "3D000"},
	} {
		_, err := postgres.Connect(t.Context(), test.dsn)
		if err == nil || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "s3cret") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

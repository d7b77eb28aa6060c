package backup_test

import (
	"context"
	"crypto/rand"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/trove-api/trove/store/sqlstore"
	"github.com/trove-api/trove/store/sqlstore/mysql"
	"github.com/trove-api/trove/store/sqlstore/postgres"
	"github.com/trove-api/trove/store/sqlstore/sqlite"
)

// tool skips a test without a program.
func tool(t *testing.T, name string) {
	t.Helper()
	if _, err := exec.LookPath(name); err != nil {
		t.Skip("there is no " + name)
	}
}

// run runs a script of the page, or another program.
func run(t *testing.T, name string, args ...string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if out, err := exec.CommandContext(ctx, name, args...).CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", name, err, out)
	}
}

// after runs a program when the test ends.
func after(t *testing.T, name string, args ...string) {
	t.Helper()
	t.Cleanup(func() { _ = exec.CommandContext(context.WithoutCancel(t.Context()), name, args...).Run() })
}

// opened returns the shop of a database.
func opened(t *testing.T, db *sqlstore.DB, err error) Shop {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return New(db)
}

// backedUp bills customers while a backup is made. It returns the invoices that were saved before the backup began.
func backedUp(t *testing.T, shop Shop, back func()) (billed []int64) {
	t.Helper()
	if err := shop.DB.Create(t.Context(), shop.Invoices, shop.Lines); err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	var customers sync.WaitGroup
	stop := make(chan struct{})
	for customer := range 4 {
		customers.Go(func() {
			for n := 1; ; n++ {
				select {
				case <-stop:
					return
				default:
				}
				id, err := shop.Bill(t.Context(), customer, n, 3*n)
				if err != nil {
					t.Errorf("while the backup is made: %v", err)
					return
				}
				mu.Lock()
				billed = append(billed, id)
				mu.Unlock()
			}
		})
	}
	time.Sleep(300 * time.Millisecond)
	mu.Lock()
	before := slices.Clip(billed)
	mu.Unlock()
	back()
	mu.Lock()
	if len(billed) == len(before) {
		t.Error("nothing was saved during the backup, so the test shows nothing")
	}
	mu.Unlock()
	close(stop)
	customers.Wait()
	return before
}

// private checks that no other user can read a backup.
func private(t *testing.T, file string) {
	t.Helper()
	found, err := os.Stat(file)
	if err != nil || found.Mode().Perm() != 0o600 {
		t.Errorf("the backup is %v, %v", found, err)
	}
}

// usable checks a restored shop, and that it can go on.
func usable(t *testing.T, restored Shop, billed []int64) {
	t.Helper()
	if err := restored.Check(t.Context(), billed); err != nil || len(billed) == 0 {
		t.Fatalf("of %d invoices: %v", len(billed), err)
	}
	if id, err := restored.Bill(t.Context(), 1, 2); err != nil || id <= billed[len(billed)-1] {
		t.Errorf("the next invoice is %d, %v", id, err)
	}
}

func TestABackupOfSQLiteIsWhole(t *testing.T) {
	t.Parallel()
	tool(t, "sqlite3")
	file, saved := filepath.Join(t.TempDir(), "shop.db"), filepath.Join(t.TempDir(), "backup.db")
	db, err := sqlite.Open(file)
	billed := backedUp(t, opened(t, db, err), func() { run(t, "./sqlite.sh", file, saved) })
	private(t, saved)
	db, err = sqlite.Open(saved)
	usable(t, opened(t, db, err), billed)
}

func TestABackupOfPostgreSQLIsWhole(t *testing.T) {
	t.Parallel()
	server := os.Getenv("TROVE_TEST_POSTGRES")
	if server == "" {
		t.Skip("set TROVE_TEST_POSTGRES")
	}
	for _, name := range []string{"pg_dump", "pg_restore", "psql"} {
		tool(t, name)
	}
	address, err := url.Parse(server)
	if err != nil {
		t.Fatal(err)
	}
	password, _ := address.User.Password()
	secrets := filepath.Join(t.TempDir(), "pgpass")
	if err := os.WriteFile(secrets, fmt.Appendf(nil, "*:*:*:%s:%s\n", address.User.Username(), password), 0o600); err != nil {
		t.Fatal(err)
	}
	database := func() (dsn, plain string) { // plain has neither a password nor options of Trove
		name := "backup_" + strings.ToLower(rand.Text())
		run(t, "psql", "--dbname="+server, "--command=CREATE DATABASE "+name)
		after(t, "psql", "--dbname="+server, "--command=DROP DATABASE "+name+" WITH (FORCE)")
		of, without := *address, url.URL{Scheme: address.Scheme, User: url.User(address.User.Username()), Host: address.Host, Path: "/" + name}
		of.Path, of.RawQuery = without.Path, of.RawQuery+"&pool_max_conns=8&lock_timeout=3s"
		return of.String(), without.String()
	}
	from, plain := database()
	to, empty := database()
	saved := filepath.Join(t.TempDir(), "backup.dump")
	db, err := postgres.Open(t.Context(), from)
	billed := backedUp(t, opened(t, db, err), func() { run(t, "env", "PGPASSFILE="+secrets, "./postgres.sh", plain, saved) })
	private(t, saved)
	run(t, "env", "PGPASSFILE="+secrets, "./postgres_restore.sh", saved, empty)
	db, err = postgres.Open(t.Context(), to)
	usable(t, opened(t, db, err), billed)
}

func TestABackupOfMariaDBIsWhole(t *testing.T) {
	t.Parallel()
	server := os.Getenv("TROVE_TEST_MYSQL")
	if server == "" {
		t.Skip("set TROVE_TEST_MYSQL")
	}
	tool(t, "mariadb-dump")
	address, err := url.Parse(server)
	if err != nil {
		t.Fatal(err)
	}
	password, _ := address.User.Password()
	client := filepath.Join(t.TempDir(), "client.cnf")
	text := fmt.Sprintf("[client]\nhost=%s\nport=%s\nuser=%s\npassword=%s\n", address.Hostname(), address.Port(), address.User.Username(), password)
	if err := os.WriteFile(client, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	database := func() string {
		name := "backup_" + strings.ToLower(rand.Text())
		run(t, "mariadb", "--defaults-extra-file="+client, "--execute=CREATE DATABASE "+name)
		after(t, "mariadb", "--defaults-extra-file="+client, "--execute=DROP DATABASE "+name)
		return name
	}
	shop := func(name string) Shop {
		of := *address
		of.Path = "/" + name
		db, err := mysql.Open(t.Context(), of.String())
		return opened(t, db, err)
	}
	from, to, saved := database(), database(), filepath.Join(t.TempDir(), "backup.sql")
	billed := backedUp(t, shop(from), func() { run(t, "./mariadb.sh", client, from, saved) })
	private(t, saved)
	run(t, "./mariadb_restore.sh", client, saved, to)
	usable(t, shop(to), billed)
}

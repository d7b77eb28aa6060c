package backup_test

import (
	"context"
	"crypto/rand"
	"fmt"
	"net"
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

func TestLitestreamCopiesEachChange(t *testing.T) {
	t.Parallel()
	tool(t, "litestream")
	file, copied, restored := filepath.Join(t.TempDir(), "shop.db"), filepath.Join(t.TempDir(), "shop"), filepath.Join(t.TempDir(), "restored.db")
	db, err := sqlite.Open(file)
	shop := opened(t, db, err)
	service := exec.CommandContext(t.Context(), "./litestream.sh", file, copied)
	service.Stdout, service.Stderr = t.Output(), t.Output()
	service.Cancel = func() error { return service.Process.Signal(os.Interrupt) }
	if err := service.Start(); err != nil {
		t.Fatal(err)
	}
	billed := backedUp(t, shop, func() { time.Sleep(time.Second) })
	last, err := shop.Bill(t.Context(), 1, 2)
	if err != nil {
		t.Fatal(err)
	}
	time.Sleep(3 * time.Second)
	_ = service.Process.Kill() // as a machine that is lost
	_ = service.Wait()
	run(t, "./litestream_restore.sh", copied, restored)
	private(t, restored)
	db, err = sqlite.Open(restored)
	usable(t, opened(t, db, err), append(billed, last))
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

// client writes the file of a client for the test server of MariaDB, and returns its URL too.
func client(t *testing.T) (file string, server *url.URL) {
	t.Helper()
	dsn := os.Getenv("TROVE_TEST_MYSQL")
	if dsn == "" {
		t.Skip("set TROVE_TEST_MYSQL")
	}
	server, err := url.Parse(dsn)
	if err != nil {
		t.Fatal(err)
	}
	password, _ := server.User.Password()
	file = filepath.Join(t.TempDir(), "client.cnf")
	text := fmt.Sprintf("[client]\nhost=%s\nport=%s\nuser=%s\npassword=%s\n", server.Hostname(), server.Port(), server.User.Username(), password)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file, server
}

// shopIn returns the shop of a database of a server of MariaDB.
func shopIn(t *testing.T, server *url.URL, name string) Shop {
	t.Helper()
	of := *server
	of.Path = "/" + name
	db, err := mysql.Open(t.Context(), of.String())
	return opened(t, db, err)
}

// database creates a database of its own.
func database(t *testing.T, client string) (name string) {
	t.Helper()
	name = "backup_" + strings.ToLower(rand.Text())
	run(t, "mariadb", "--defaults-extra-file="+client, "--execute=CREATE DATABASE "+name)
	after(t, "mariadb", "--defaults-extra-file="+client, "--execute=DROP DATABASE "+name)
	return name
}

func TestABackupOfMariaDBIsWhole(t *testing.T) {
	t.Parallel()
	tool(t, "mariadb-dump")
	client, server := client(t)
	from, to, saved := database(t, client), database(t, client), filepath.Join(t.TempDir(), "backup.sql")
	billed := backedUp(t, shopIn(t, server, from), func() { run(t, "./mariadb.sh", client, from, saved) })
	private(t, saved)
	run(t, "./mariadb_restore.sh", client, saved, to)
	usable(t, shopIn(t, server, to), billed)
}

func TestACopyOfAServerOfMariaDBIsWhole(t *testing.T) {
	t.Parallel()
	tool(t, "mariabackup")
	folder := os.Getenv("TROVE_TEST_MARIADB_FOLDER")
	client, server := client(t)
	if folder == "" {
		t.Skip("run it by .ci/mariadb")
	}
	name, saved := database(t, client), filepath.Join(folder, "saved")
	billed := backedUp(t, shopIn(t, server, name), func() { run(t, "./mariabackup.sh", client, filepath.Join(folder, "data"), saved) })
	copied := *server
	copied.Host = start(t, folder, saved)
	usable(t, shopIn(t, &copied, name), billed)
}

// start starts a second server of MariaDB on a folder with files, and returns its host and port.
func start(t *testing.T, folder, files string) (host string) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0") //nolint:noctx // it is closed at once
	if err != nil {
		t.Fatal(err)
	}
	host = listener.Addr().String()
	_, port, _ := net.SplitHostPort(host)
	_ = listener.Close()
	if os.Getuid() == 0 {
		run(t, "chown", "-R", "mysql", files)
	}
	second := exec.CommandContext(t.Context(), "mariadbd", "--defaults-file="+filepath.Join(folder, "my.cnf"), "--datadir="+files,
		"--port="+port, "--socket="+filepath.Join(folder, "second"), "--pid-file="+filepath.Join(folder, "second.pid"))
	second.Env = append(os.Environ(), "PATH="+os.Getenv("PATH")+":/usr/sbin")
	second.Stderr = t.Output()
	if err := second.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = second.Wait() }) // after the context has ended it
	for range 300 {
		conn, err := net.Dial("tcp", host) //nolint:noctx // it responds at once
		if err == nil {
			_ = conn.Close()
			break
		}
		time.Sleep(100 * time.Millisecond)
	}
	return host
}

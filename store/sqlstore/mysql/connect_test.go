package mysql_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/trove-api/trove/store"
	"github.com/trove-api/trove/store/sqlstore"
	"github.com/trove-api/trove/store/sqlstore/mysql"
)

func TestFormsOfDSN(t *testing.T) {
	t.Parallel()
	for dsn, want := range map[string]struct {
		user, password, network, address, database string
		connections                                int
	}{
		"mysql://ann:s%40c%2Fret@db.example/shop?pool_max_conns=7":      {"ann", "s@c/ret", "tcp", "db.example:3306", "shop", 7},
		"mariadb://ann@[::1]:3307/shop?pool_max_conns=1&timeout=3s":     {"ann", "", "tcp", "[::1]:3307", "shop", 1},
		"ann:secret@tcp(db.example:3307)/shop?pool_max_conns=9":         {"ann", "secret", "tcp", "db.example:3307", "shop", 9},
		"ann@unix(/run/mysqld/mysqld.sock)/?pool_max_conns=2&tls=false": {"ann", "", "unix", "/run/mysqld/mysqld.sock", "", 2},
	} {
		config, connections, err := mysql.Parse(dsn)
		if err != nil {
			t.Errorf("%s: %v", dsn, err)
			continue
		}
		got := want
		got.user, got.password, got.network, got.address, got.database, got.connections = config.User, config.Passwd, config.Net, config.Addr, config.DBName, connections
		if got != want {
			t.Errorf("%s is read as %+v", dsn, got)
		}
		if !config.ParseTime || config.Loc != time.UTC || !config.ClientFoundRows || config.MultiStatements || config.Params["pool_max_conns"] != "" {
			t.Errorf("%s gives %+v", dsn, config)
		}
	}
}

func TestTLSChecksTheNameInTheURL(t *testing.T) {
	t.Parallel()
	config, _, err := mysql.Parse("mysql://ann@db.example/shop?tls=true")
	if err != nil || config.TLS == nil || config.TLS.ServerName != "db.example" || config.TLS.InsecureSkipVerify {
		t.Errorf("%+v, %v", config, err)
	}
}

func TestErrorsHaveNoPassword(t *testing.T) {
	t.Parallel()
	for _, dsn := range []string{
		"", "secret", "mysql://ann:secret@", "mysql://ann:se%cret@db/shop", "mysql://ann:secret@db:port/shop", "ann:secret@db/shop", "ann:secret(@tcp/shop",
		"mysql://ann:secret@db/shop?parseTime=secret", "mysql://ann:secret@db/shop?pool_max_conns=0", "mysql://ann:secret@127.0.0.1:1/shop",
		"ann:secret@tcp(127.0.0.1:1)/shop?pool_max_conns=many", "ann:secret@tcp(127.0.0.1:1)/shop",
	} {
		db, err := mysql.Open(t.Context(), dsn)
		if err == nil {
			_ = db.Close()
		}
		if err == nil || strings.Contains(err.Error(), "secret") || !strings.HasPrefix(err.Error(), "store/sqlstore/mysql: ") {
			t.Errorf("%s: %v", dsn, err)
		}
	}
}

func TestWhichServersAreTooOld(t *testing.T) {
	t.Parallel()
	for version, older := range map[string]bool{
		"10.5.27-MariaDB": true, "10.6.0-MariaDB-log": false, "10.11.6-MariaDB-0+deb12u1": false, "11.4.2-MariaDB": false, "9.9": true, "10": false, "": false,
	} {
		if got := mysql.IsOlder(version, [3]int{10, 6, 0}); got != older {
			t.Errorf("%q is older: %v", version, got)
		}
	}
}

func TestConnectionsHaveWhatStoresNeedRegardlessOfTheDSN(t *testing.T) {
	t.Parallel()
	db := open(t, database(t, "sql_mode", "''", "time_zone", "'+07:00'", "parseTime", "false", "loc", "Asia/Tokyo", "clientFoundRows", "false",
		"collation", "latin1_swedish_ci", "charset", "latin1", "tx_isolation", "'SERIALIZABLE'", "autocommit", "0", "innodb_lock_wait_timeout", "3"))
	ctx := impatient(t)
	for expression, want := range map[string]string{
		"@@time_zone": "+00:00", "@@collation_connection": "utf8mb4_nopad_bin", "@@character_set_results": "utf8mb4", "@@tx_isolation": "READ-COMMITTED",
		"@@innodb_lock_wait_timeout": "3", "@@lock_wait_timeout": "3", "@@autocommit": "1", `'a\' || 'b'`: `a\b`, `'a' = 'a '`: "0", `'a' = 'A'`: "0",
	} {
		if got := one[string](ctx, t, db, "SELECT "+expression); got != want {
			t.Errorf("%s is %s, want %s", expression, got, want)
		}
	}
	if got := one[string](ctx, t, open(t, database(t)), "SELECT @@innodb_lock_wait_timeout"); got != "10" {
		t.Errorf("a transaction waits for %s seconds, want 10", got)
	}
}

func TestAReadOnlyServerIsReported(t *testing.T) {
	t.Parallel()
	dsn := database(t)
	s := table[coin](t, open(t, dsn))
	if err := s.PingWrites(impatient(t)); err != nil {
		t.Fatal(err)
	}
	read := sqlstore.Table[coin](open(t, dsn+"?tx_read_only=1"))
	if err := read.PingWrites(impatient(t)); !errors.Is(err, store.ErrUnavailable) || !strings.Contains(err.Error(), "read-only") {
		t.Errorf("PingWrites: %v", err)
	}
	if err := store.Insert(impatient(t), read, &coin{Name: "a"}); !errors.Is(err, store.ErrUnavailable) {
		t.Errorf("Insert: %v", err)
	}
	if err := read.Ping(impatient(t)); err != nil {
		t.Errorf("Ping: %v", err)
	}
}

func TestAFullTableIsAnOutageUntilAWriteSucceeds(t *testing.T) {
	t.Parallel()
	db := open(t, database(t, "pool_max_conns", "2"))
	s, ctx := table[coin](t, db), impatient(t)
	for _, statement := range []string{"CREATE TABLE small (content CHAR(255)) ENGINE=MEMORY MAX_ROWS=1", "SET max_heap_table_size=16384"} {
		if _, err := db.Exec(ctx, statement); err != nil {
			t.Fatal(err)
		}
	}
	var err error
	for n := 0; err == nil && n < 20; n++ {
		_, err = db.Exec(ctx, "INSERT INTO small SELECT REPEAT('x', 255) FROM information_schema.COLUMNS")
	}
	if !errors.Is(err, store.ErrUnavailable) || mysql.FaultOf(err).Kind != sqlstore.UnwritableFault {
		t.Fatalf("a full table gives %v", err)
	}
	if err := s.PingWrites(ctx); err != nil { // it writes 1 MiB
		t.Errorf("PingWrites: %v", err)
	}
}

func TestLimitsOfColumns(t *testing.T) {
	t.Parallel()
	for declared, want := range map[string]struct {
		least, most string
		length      int
	}{
		"tinyint(1)": {}, "tinyint(4)": {"-128", "127", 0}, "smallint(5) unsigned": {"0", "65535", 0}, "int": {"-2147483648", "2147483647", 0},
		"int(10) unsigned zerofill": {"0", "4294967295", 0}, "bigint(20)": {}, "varchar(7) COLLATE latin1_swedish_ci": {"", "", 7}, "longtext": {},
		"decimal(5,2)": {"-999.99", "999.99", 0}, "decimal(3,0)": {"-999", "999", 0}, "decimal(2,2)": {"-0.99", "0.99", 0}, "double": {},
	} {
		got := want
		if got.least, got.most, got.length = mysql.Limits(declared); got != want {
			t.Errorf("%s can hold %+v, want %+v", declared, got, want)
		}
	}
}

package mysql

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"net"
	"net/url"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/go-sql-driver/mysql"

	"github.com/trove-api/trove/internal/txn"
	"github.com/trove-api/trove/store/sqlstore"
)

const (
	// connectTimeout limits connecting to a server, unless the DSN sets a limit.
	connectTimeout = 5 * time.Second
	// lifetime is how long a connection is used. New ones follow a failover.
	lifetime = time.Hour
	// minConnections is the least default of pool_max_conns.
	minConnections = 4
)

// Open connects to the database of a DSN, which is a URL or has the form of github.com/go-sql-driver/mysql:
//
//	mysql://user:password@host:3306/database?tls=true&pool_max_conns=20
//	user:password@unix(/run/mysqld/mysqld.sock)/database
//
// An invalid DSN is an error, as is a server that does not respond, rejects the connection or is too old: MariaDB before
// 10.6, MySQL before 8.0.19. Errors never contain the password. The context limits connecting only. The caller must close
// the database.
func Open(ctx context.Context, dsn string) (*sqlstore.DB, error) {
	d, err := connect(ctx, dsn)
	if err != nil {
		return nil, err
	}
	return sqlstore.New(d), nil
}

// connect creates the pool. It first opens a separate connection to find out what server it is.
func connect(ctx context.Context, dsn string) (*driver, error) {
	config, connections, err := parse(dsn)
	if err != nil {
		return nil, fmt.Errorf("store/sqlstore/mysql: the DSN cannot be used: %w", err)
	}
	found, err := inspect(ctx, config)
	if err != nil {
		return nil, fmt.Errorf("store/sqlstore/mysql: cannot connect: %w", err)
	}
	wait := found.prepare(config)
	db, err := open(config)
	if err != nil {
		return nil, fmt.Errorf("store/sqlstore/mysql: %w", err)
	}
	db.SetMaxOpenConns(connections)
	db.SetMaxIdleConns(connections)
	db.SetConnMaxLifetime(lifetime)
	if err := db.PingContext(ctx); err != nil { // a variable in the DSN may not exist
		return nil, errors.Join(fmt.Errorf("store/sqlstore/mysql: cannot connect: %w", err), db.Close())
	}
	return &driver{db: db, server: found, wait: wait, health: new(txn.Breaker)}, nil
}

func open(config *mysql.Config) (*sql.DB, error) {
	connector, err := mysql.NewConnector(config)
	if err != nil {
		return nil, err
	}
	return sql.OpenDB(connector), nil
}

// errMalformed has nothing of the DSN, because the password cannot be located in a malformed one.
var errMalformed = errors.New("it is malformed: use mysql://user:password@host:3306/database?option=value with the password " +
	"percent-encoded, or user:password@tcp(host:3306)/database?option=value")

// parse reads a DSN, and the number of connections in it.
func parse(dsn string) (*mysql.Config, int, error) {
	own := dsn
	scheme, _, isURL := strings.Cut(dsn, "://")
	var location *url.URL
	if isURL = isURL && (scheme == "mysql" || scheme == "mariadb"); isURL {
		var err error
		if location, err = url.Parse(dsn); err != nil || location.Hostname() == "" {
			return nil, 0, errMalformed
		}
		own = "/?" + location.RawQuery
	}
	config, err := mysql.ParseDSN(own)
	if err != nil {
		return nil, 0, errMalformed
	}
	if isURL {
		config.User, config.DBName = location.User.Username(), strings.TrimPrefix(location.Path, "/")
		config.Passwd, _ = location.User.Password()
		config.Net, config.Addr = "tcp", location.Host
		if location.Port() == "" {
			config.Addr = net.JoinHostPort(location.Hostname(), "3306")
		}
		if config.TLS != nil && config.TLS.ServerName == "127.0.0.1" { // the default of the driver
			config.TLS.ServerName = location.Hostname()
		}
	}
	connections := max(minConnections, runtime.NumCPU())
	if given, ok := config.Params["pool_max_conns"]; ok {
		if connections, err = strconv.Atoi(given); err != nil || connections < 1 {
			return nil, 0, errors.New("pool_max_conns must be a number above 0")
		}
		delete(config.Params, "pool_max_conns")
	}
	if config.Timeout == 0 {
		config.Timeout = connectTimeout
	}
	config.ParseTime, config.Loc, config.ClientFoundRows = true, time.UTC, true
	// One round trip rather than three. The driver escapes values as the sql_mode of the connection needs it.
	config.InterpolateParams, config.MultiStatements = true, false
	config.Collation, config.RejectReadOnly, config.CheckConnLiveness = "", false, true
	config.Logger = &mysql.NopLogger{} // the errors are returned too
	return config, connections, nil
}

// server describes the server of a connection.
type server struct {
	isMariaDB  bool
	isCluster  bool  // a node of Galera
	lockWait   int64 // innodb_lock_wait_timeout, in seconds
	packetSize int   // max_allowed_packet
}

// inspect examines the server of a DSN.
func inspect(ctx context.Context, config *mysql.Config) (found server, err error) {
	plain := config.Clone()
	plain.Params = nil
	db, err := open(plain)
	if err != nil {
		return found, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	rows, err := db.QueryContext(ctx, "SHOW GLOBAL VARIABLES WHERE Variable_name IN ('version', 'innodb_lock_wait_timeout', 'max_allowed_packet', 'wsrep_on')")
	if err != nil {
		return found, err
	}
	variables := map[string]string{}
	for rows.Next() {
		var name, value string
		if err := rows.Scan(&name, &value); err != nil {
			return found, err
		}
		variables[name] = value
	}
	version := variables["version"]
	found.isMariaDB, found.isCluster = strings.Contains(version, "MariaDB"), variables["wsrep_on"] == "ON"
	found.lockWait, _ = strconv.ParseInt(variables["innodb_lock_wait_timeout"], 10, 64)
	found.packetSize, _ = strconv.Atoi(variables["max_allowed_packet"])
	if err := errors.Join(rows.Err(), rows.Close()); err != nil {
		return found, err
	}
	least := [3]int{8, 0, 19}
	if found.isMariaDB {
		least = [3]int{10, 6, 0}
	}
	if isOlder(version, least) {
		return found, fmt.Errorf("the server has version %s; it must be MariaDB 10.6, MySQL 8.0.19, or later", version)
	}
	return found, nil
}

// isOlder reports whether a version, such as 10.11.6-MariaDB, comes before another one.
func isOlder(version string, than [3]int) bool {
	version, _, _ = strings.Cut(version, "-")
	for i, text := range strings.SplitN(version, ".", len(than)) {
		if n, err := strconv.Atoi(text); err != nil || n != than[i] {
			return err == nil && n < than[i]
		}
	}
	return false
}

// defaultLockWait is the innodb_lock_wait_timeout of a server that does not set it, in seconds.
const defaultLockWait = 50

// prepare adds the session variables that the stores need, regardless of the DSN and of the server. It returns how long
// transactions wait for others: as the DSN or the server sets it, or else the default of all stores.
func (s server) prepare(config *mysql.Config) time.Duration {
	if s.packetSize > 0 {
		config.MaxAllowedPacket = s.packetSize - 1
	}
	if config.Params == nil {
		config.Params = map[string]string{}
	}
	wait := s.lockWait
	if given, ok := config.Params["innodb_lock_wait_timeout"]; ok {
		wait, _ = strconv.ParseInt(given, 10, 64)
	} else if wait == defaultLockWait {
		wait = int64(txn.Default / time.Second)
	}
	seconds := strconv.FormatInt(wait, 10)
	ours := map[string]string{
		"innodb_lock_wait_timeout": seconds, // for rows
		"lock_wait_timeout":        seconds, // for tables
		"sql_mode":                 "'" + s.sqlMode() + "'",
		"time_zone":                "'+00:00'", "autocommit": "1", "foreign_key_checks": "1", "unique_checks": "1",
		"character_set_client": "utf8mb4", "character_set_results": "utf8mb4", "collation_connection": s.collation(),
		"div_precision_increment": "30",         // averages are exact enough to sort by
		"group_concat_max_len":    "4294967295", // for lists of references
		s.isolation():             "'READ-COMMITTED'",
	}
	if _, ok := config.Params["wsrep_sync_wait"]; s.isCluster && !ok {
		ours["wsrep_sync_wait"] = "1" // a read sees what was saved on another node before
	}
	maps.Copy(config.Params, ours)
	return time.Duration(wait) * time.Second
}

// collation returns the collation that compares strings by their bytes, without ignoring spaces at their end.
func (s server) collation() string {
	if s.isMariaDB {
		return "utf8mb4_nopad_bin"
	}
	return "utf8mb4_0900_bin"
}

// sqlMode returns how statements are read and values checked.
func (s server) sqlMode() string {
	mode := "ANSI_QUOTES,PIPES_AS_CONCAT,NO_BACKSLASH_ESCAPES,STRICT_ALL_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_AUTO_VALUE_ON_ZERO,NO_ENGINE_SUBSTITUTION"
	if s.isMariaDB {
		return mode
	}
	return mode + ",TIME_TRUNCATE_FRACTIONAL" // as MariaDB does
}

// isolation returns the variable of the isolation level.
func (s server) isolation() string {
	if s.isMariaDB {
		return "tx_isolation"
	}
	return "transaction_isolation"
}

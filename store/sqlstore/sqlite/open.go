package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/trove-api/trove/internal/txn"
	"github.com/trove-api/trove/store/sqlstore"
)

const (
	minReaders  = 4
	openTimeout = 10 * time.Second
	openAgain   = 5 * time.Millisecond
)

// Open opens the database in a file. It creates the file if it does not exist; the folder must exist. The path
// ":memory:" is a database that exists only while it is open. It is in a folder for temporary files, because in a true
// in-memory database readers would wait for writers. Only the user of the process can read a new file and those that
// SQLite adds to it. An existing file keeps its permissions.
//
// A path that begins with "file:" is a URI of SQLite with parameters. For example, with
// "file:name.db?_pragma=busy_timeout(3000)" a transaction waits for at most 3 seconds, not 10, for earlier ones and for
// other programs.
func Open(path string) (*sqlstore.DB, error) {
	if path == "" {
		return nil, errors.New("store/sqlstore/sqlite: the path is empty; use the name of a file, or \":memory:\"")
	}
	d, err := open(path)
	if err != nil {
		return nil, fmt.Errorf("store/sqlstore/sqlite: cannot open %s: %w", path, err)
	}
	return sqlstore.New(d), nil
}

func open(path string) (*driver, error) {
	folder := ""
	if path == ":memory:" {
		var err error
		if folder, err = os.MkdirTemp("", "trove-"); err != nil {
			return nil, err
		}
		path = "file:" + (&url.URL{Path: filepath.Join(folder, "memory.db")}).EscapedPath() + "?_pragma=synchronous(OFF)"
	}
	d, err := openFile(path)
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(folder))
	}
	d.folder = folder
	return d, nil
}

func openFile(path string) (*driver, error) {
	createPrivate(path)
	writes, err := connect(path, true)
	if err != nil {
		return nil, err
	}
	writes.SetMaxOpenConns(1)
	ctx, cancel := context.WithTimeout(context.Background(), openTimeout)
	defer cancel()
	writer, err := openWriter(ctx, writes)
	if err != nil {
		return nil, errors.Join(err, writes.Close())
	}
	writer.makeStatistics(openTimeout)
	reads, err := connect(path, false)
	if err != nil {
		return nil, errors.Join(err, writer.close())
	}
	readers := max(minReaders, runtime.NumCPU())
	reads.SetMaxOpenConns(readers)
	reads.SetMaxIdleConns(readers)
	return &driver{reader: &reader{db: reads, statements: map[string]*sql.Stmt{}}, writer: writer}, nil
}

// createPrivate creates the file of a database, unless it exists, so that only the user of the process can read it. SQLite
// gives the files that it adds the same permissions. It leaves errors to SQLite, which finds them again.
func createPrivate(path string) {
	if uri, isURI := strings.CutPrefix(path, "file:"); isURI {
		name, query, _ := strings.Cut(uri, "?")
		options, _ := url.ParseQuery(query)
		location, err := url.Parse("file:" + name)
		if mode := options.Get("mode"); err != nil || mode != "" && mode != "rwc" || options.Has("vfs") {
			return
		}
		if path = location.Path; location.Opaque != "" { // a relative path
			path, _ = url.PathUnescape(location.Opaque)
		}
	}
	path = behindLinks(path)
	if file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600); err == nil { //nolint:gosec // the program's database
		_ = file.Close()
	}
}

// maxLinks is how many symbolic links SQLite follows.
const maxLinks = 100

// behindLinks returns the file that a path names through symbolic links, which may not exist. To create it, the links must
// be resolved: opening a path without O_EXCL could open a database that is in use, and closing it would drop its locks.
func behindLinks(path string) string {
	for range maxLinks {
		target, err := os.Readlink(path)
		if err != nil { // it is not a link
			return path
		}
		if !filepath.IsAbs(target) {
			folder, _ := filepath.Split(path) // Dir and Join would simplify "..", which leads elsewhere behind a linked folder
			target = folder + target
		}
		path = target
	}
	return path
}

// openWriter opens the connection that writes. SQLite does not wait if two programs both switch a new file to a
// write-ahead log, because each would wait for the other: one of them gets an error immediately and must try again.
func openWriter(ctx context.Context, db *sql.DB) (*writer, error) {
	for {
		w, err := newWriter(ctx, db)
		if err == nil || faultOf(err).Kind != sqlstore.RetryFault {
			return w, err
		}
		select {
		case <-ctx.Done():
			return nil, err
		case <-time.After(openAgain):
		}
	}
}

// dsn returns the data source name of a database for the driver.
func dsn(path string, writes bool) string {
	if !strings.HasPrefix(path, "file:") {
		path = "file:" + (&url.URL{Path: path}).EscapedPath()
	}
	name, query, _ := strings.Cut(path, "?")
	options, err := url.ParseQuery(query)
	if err != nil {
		options = url.Values{}
	}
	pragmas := []string{
		"busy_timeout(" + strconv.FormatInt(txn.Default.Milliseconds(), 10) + ")",
		"foreign_keys(1)", "journal_mode(WAL)", "synchronous(FULL)",
	}
	// The driver sorts pragmas, so if two have the same name, either could be the last.
	pragmas = slices.DeleteFunc(pragmas, func(ours string) bool {
		return slices.ContainsFunc(options["_pragma"], func(own string) bool { return pragmaName(own) == pragmaName(ours) })
	})
	if !writes {
		pragmas = append(pragmas, "query_only(1)")
	}
	options["_pragma"] = append(pragmas, options["_pragma"]...)
	if !options.Has("_dqs") { // a column that does not exist is an error, not a string
		options.Set("_dqs", "0")
	}
	return name + "?" + options.Encode()
}

// pragmaName returns the name of a pragma written as "name(value)" or "name=value".
func pragmaName(pragma string) string {
	end := strings.IndexAny(pragma, "(=")
	if end < 0 {
		end = len(pragma)
	}
	return strings.ToLower(strings.TrimSpace(pragma[:end]))
}

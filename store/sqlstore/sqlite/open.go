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

	_ "modernc.org/sqlite" // registers the driver

	"github.com/trove-api/trove/internal/patience"
	"github.com/trove-api/trove/store/sqlstore"
)

const (
	minReaders  = 4
	openTimeout = 10 * time.Second
	openAgain   = 5 * time.Millisecond
)

// Open opens the database in a file, which it makes if it is missing; the folder must be there. ":memory:" is a database that
// lives as long as it is open, in a folder for temporary files: one that is in memory lets nobody read while another writes. A
// path that begins with "file:" is a URI of SQLite, whose parameters are kept: "file:name.db?_pragma=busy_timeout(3000)" lets a
// transaction wait for 3 seconds, not 10, for those before it and for other programs.
func Open(path string) (*sqlstore.DB, error) {
	if path == "" {
		return nil, errors.New("store/sqlstore/sqlite: the path is empty; write a file's name, or \":memory:\"")
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
	writes, err := sql.Open("sqlite", dsn(path, true))
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
	if writer.optimize(ctx, makeStatistics) != nil && ctx.Err() != nil {
		_ = writer.optimize(context.Background(), guessStatistics)
	}
	reads, err := sql.Open("sqlite", dsn(path, false))
	if err != nil {
		return nil, errors.Join(err, writer.close())
	}
	readers := max(minReaders, runtime.NumCPU())
	reads.SetMaxOpenConns(readers)
	reads.SetMaxIdleConns(readers)
	return &driver{reader: newReader(reads), writer: writer}, nil
}

// openWriter takes the connection that writes. SQLite does not wait where two programs turn a journal into a
// write-ahead log, as both do with a new file, for each would wait for the other: one of them is told at once
// that it is locked, and has to begin again.
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

// dsn writes the name by which the driver opens a database.
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
		"busy_timeout(" + strconv.FormatInt(patience.Default.Milliseconds(), 10) + ")",
		"foreign_keys(1)", "journal_mode(WAL)", "synchronous(FULL)",
	}
	// The driver sorts pragmas, so that of two of one name neither is sure to be the last.
	pragmas = slices.DeleteFunc(pragmas, func(ours string) bool {
		return slices.ContainsFunc(options["_pragma"], func(own string) bool { return pragmaName(own) == pragmaName(ours) })
	})
	if !writes {
		pragmas = append(pragmas, "query_only(1)")
	}
	options["_pragma"] = append(pragmas, options["_pragma"]...)
	if !options.Has("_dqs") { // a column that does not exist is an error, and not a string
		options.Set("_dqs", "0")
	}
	return name + "?" + options.Encode()
}

// pragmaName returns the name of a pragma that is written "name(value)" or "name=value".
func pragmaName(pragma string) string {
	end := strings.IndexAny(pragma, "(=")
	if end < 0 {
		end = len(pragma)
	}
	return strings.ToLower(strings.TrimSpace(pragma[:end]))
}

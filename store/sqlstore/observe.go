package sqlstore

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/trove-api/trove/store"
)

// Observer is called when a statement begins and ends, and when a transaction begins, commits or rolls back. It must be
// safe for concurrent use. See [DB.Observe].
type Observer interface {
	// Begin is called before a statement. The context it returns must derive from ctx. The driver and End get it.
	Begin(ctx context.Context, statement Statement) context.Context
	// End is called when the statement has failed, or its rows were closed or read to the end.
	End(ctx context.Context, statement Statement, result Result)
}

// Statement is what an [Observer] sees of a statement.
type Statement struct {
	// Text is the statement. Those of stores have placeholders instead of values. It is "" for the begin and the end of
	// a transaction.
	Text string
	// Operation is BEGIN, COMMIT, ROLLBACK, or the first word of the statement in upper case if it is one of SQL's usual
	// ones, such as SELECT. Otherwise it is "". It has few distinct values, so it can be a label of metrics.
	Operation string
	// Table is the name of the first table that the statement reads or writes, or "" if that is unknown. It has few
	// distinct values, unless the program makes names of tables up.
	Table string
}

// Result is the end of a statement.
type Result struct {
	// Duration is the time until the statement returned, or until its rows were closed or read to the end.
	Duration time.Duration
	// Err is the error of the driver, nil for success. It may contain values of clients.
	Err error
	// ErrorType is the kind of the error: unique, foreign_key, check, conflict, unavailable, unwritable, canceled,
	// timeout or other. It is "" for success.
	ErrorType string
}

// Observe adds observers, which see all statements of the database but the checks of [Store.PingWrites]. Call it before
// the database is used; it must not run at the same time as other methods. The first observer begins first and ends last.
// A statement that commits its transaction in the same round trip is one call. A DB without observers pays nothing.
func (db *DB) Observe(observers ...Observer) {
	for _, observer := range slices.Backward(observers) {
		db.runs = &observed{watcher{observer, db, db.runs}, db.runs}
		if db.replicas != nil {
			db.replicas = &observed{watcher{observer, db, db.replicas}, db.replicas}
		}
	}
}

// runner runs statements and begins transactions. Facts, faults and optional methods are always those of the driver, so
// that a runner which wraps it cannot hide them.
type runner interface {
	Executor
	Begin(ctx context.Context) (Transaction, error)
}

// observed is a runner with an observer.
type observed struct {
	watcher

	runner runner
}

func (o *observed) Begin(ctx context.Context) (Transaction, error) {
	var begun Transaction
	err := o.call(ctx, "BEGIN", func(ctx context.Context) (err error) {
		begun, err = o.runner.Begin(ctx)
		return err
	})
	if err != nil {
		return nil, err
	}
	t := observedTransaction{watcher{o.observer, o.db, begun}, begun}
	if finisher, ok := begun.(Finisher); ok {
		return &observedFinisher{t, finisher}, nil
	}
	return &t, nil
}

// observedTransaction is a transaction with an observer.
type observedTransaction struct {
	watcher

	transaction Transaction
}

func (t *observedTransaction) Commit(ctx context.Context) error {
	return t.call(ctx, "COMMIT", t.transaction.Commit)
}

func (t *observedTransaction) Rollback(ctx context.Context) error {
	return t.call(ctx, "ROLLBACK", t.transaction.Rollback)
}

// observedFinisher is a [Finisher] with an observer.
type observedFinisher struct {
	observedTransaction

	finisher Finisher
}

func (t *observedFinisher) Last(ctx context.Context, text string, args ...any) (Rows, error) {
	return t.query(ctx, t.finisher.Last, text, args)
}

// watcher runs statements and calls an observer.
type watcher struct {
	observer Observer
	db       *DB
	by       Executor
}

func (w watcher) Query(ctx context.Context, text string, args ...any) (Rows, error) {
	return w.query(ctx, w.by.Query, text, args)
}

func (w watcher) query(ctx context.Context, run func(context.Context, string, ...any) (Rows, error), text string, args []any) (Rows, error) {
	c := w.begin(ctx, statementOf(text))
	rows, err := run(c.ctx, text, args...)
	if err != nil {
		c.end(err)
		return rows, err
	}
	return &observedRows{rows, c}, nil
}

func (w watcher) Exec(ctx context.Context, text string, args ...any) (int64, error) {
	c := w.begin(ctx, statementOf(text))
	changed, err := w.by.Exec(c.ctx, text, args...)
	c.end(err)
	return changed, err
}

func (w watcher) call(ctx context.Context, operation string, run func(context.Context) error) error {
	c := w.begin(ctx, Statement{Operation: operation})
	err := run(c.ctx)
	c.end(err)
	return err
}

func (w watcher) begin(ctx context.Context, statement Statement) *observedCall {
	return &observedCall{watcher: w, statement: statement, ctx: w.observer.Begin(ctx, statement), began: time.Now()}
}

// observedCall is a statement that has begun.
type observedCall struct {
	watcher

	statement Statement
	ctx       context.Context //nolint:containedctx // that of the statement, until its rows are closed
	began     time.Time
	ended     bool
}

// end calls the observer, the first time.
func (c *observedCall) end(err error) {
	if c.ended {
		return
	}
	c.ended = true
	c.observer.End(c.ctx, c.statement, Result{time.Since(c.began), err, c.db.errorType(c.ctx, err)})
}

// observedRows are the rows of a statement that is observed.
type observedRows struct {
	Rows

	call *observedCall
}

func (r *observedRows) Next() bool {
	isRow := r.Rows.Next()
	if !isRow {
		r.call.end(r.Err())
	}
	return isRow
}

func (r *observedRows) Close() error {
	err := r.Rows.Close()
	r.call.end(cmp.Or(r.Err(), err))
	return err
}

// errorType returns the ErrorType of a [Result].
func (db *DB) errorType(ctx context.Context, err error) string {
	if err != nil && ctx.Err() != nil { // a driver may return an error of its own then
		err = ctx.Err()
	}
	switch {
	case err == nil:
		return ""
	case errors.Is(err, context.Canceled):
		return "canceled"
	case errors.Is(err, context.DeadlineExceeded):
		return "timeout"
	case errors.Is(err, store.ErrUnavailable): // the driver has classified it
		return "unavailable"
	}
	return cmp.Or(map[FaultKind]string{
		UniqueFault: "unique", ForeignKeyFault: "foreign_key", CheckFault: "check",
		RetryFault: "conflict", UnavailableFault: "unavailable", UnwritableFault: "unwritable",
	}[db.driver.Fault(err).Kind], "other")
}

// statementOf finds the operation and the table of a statement, in words outside of brackets.
func statementOf(text string) Statement {
	s := Statement{Text: text}
	for word, rest := nextWord(text); word != ""; word, rest = nextWord(rest) {
		if s.Operation == "" {
			s.Operation = operationOf(word)
		}
		if strings.EqualFold(word, "FROM") || strings.EqualFold(word, "INTO") || strings.EqualFold(word, "UPDATE") {
			name, _ := nextWord(rest)
			name, _, _ = strings.Cut(name, "(")
			s.Table = strings.ReplaceAll(strings.Trim(name, "\"`"), `"."`, ".")
			break
		}
	}
	return s
}

// operationOf returns a usual first word of statements in upper case, and "" for all other words.
func operationOf(word string) string {
	for _, known := range [...]string{
		"SELECT", "INSERT", "UPDATE", "DELETE", "REPLACE", "MERGE", "SAVEPOINT", "RELEASE", "ROLLBACK", "LOCK", "CREATE", "ALTER", "DROP",
	} {
		if strings.EqualFold(word, known) {
			return known
		}
	}
	return ""
}

// nextWord returns the first word of a statement, with brackets and quoted names in it as a whole, and the rest.
func nextWord(text string) (word, rest string) {
	text = strings.TrimLeft(text, separators)
	depth, quote := 0, byte(0)
	for i := range len(text) {
		switch c := text[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'' || c == '`':
			quote = c
		case c == '(':
			depth++
		case c == ')':
			depth--
		case depth <= 0 && strings.IndexByte(separators, c) >= 0:
			return text[:i], text[i:]
		}
	}
	return text, ""
}

// separators are the characters between words.
const separators = " \t\r\n,;"

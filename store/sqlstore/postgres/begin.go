package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/trove-api/trove/internal/patience"
	"github.com/trove-api/trove/store/sqlstore"
)

// begin begins the transaction, and sends the first statement along: that saves waiting
// for the server once, and a transaction that ends before its first statement needs no
// connection. The results are to be closed before the next statement.
func (t *transaction) begin(ctx context.Context, statement string, args []any) (pgx.BatchResults, error) {
	if err := t.driver.doubt.check(ctx, t.driver.pool); err != nil {
		return nil, err
	}
	if err := patience.Take(ctx, t.driver.turns, t.driver.wait.limit); err != nil {
		return nil, err
	}
	batch := &pgx.Batch{}
	batch.BeginTx(pgx.TxOptions{})
	if t.driver.wait.statement != "" {
		batch.Queue(t.driver.wait.statement)
	}
	before := batch.Len()
	batch.Queue(statement, args...)
	results := t.driver.pool.SendBatch(ctx, batch)
	t.tx = results.Tx()
	for range before {
		if _, err := results.Exec(); err != nil {
			_ = results.Close() // says the same again
			return nil, t.explain(err)
		}
	}
	return results, nil
}

func (t *transaction) beginWithExec(ctx context.Context, statement string, args []any) (int64, error) {
	results, err := t.begin(ctx, statement, args)
	if err != nil {
		return 0, err
	}
	tag, err := results.Exec()
	if closing := results.Close(); err == nil {
		err = closing
	}
	return tag.RowsAffected(), t.explain(err)
}

func (t *transaction) beginWithQuery(ctx context.Context, statement string, args []any) (sqlstore.Rows, error) {
	results, err := t.begin(ctx, statement, args)
	if err != nil {
		return nil, err
	}
	found, err := results.Query()
	if err != nil {
		_ = results.Close() // says the same again
		return nil, t.explain(err)
	}
	return &firstRows{transactionRows{&rows{Rows: found}, t}, results, false}, nil
}

// firstRows are the rows of the first query of a transaction. The end of them is the end of
// what the connection is busy with, whether they are closed or not.
type firstRows struct {
	transactionRows

	results pgx.BatchResults
	ended   bool
}

func (r *firstRows) Next() bool {
	r.ended = !r.transactionRows.Next()
	if r.ended {
		_ = r.Close() // Err says it again
	}
	return !r.ended
}

func (r *firstRows) Err() error {
	if r.ended {
		return r.Close()
	}
	return r.transactionRows.Err()
}

func (r *firstRows) Close() error {
	err := r.transactionRows.Close()
	if closing := r.results.Close(); err == nil {
		err = r.tx.explain(closing)
	}
	return err
}

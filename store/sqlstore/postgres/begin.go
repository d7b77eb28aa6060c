package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/trove-api/trove/store/sqlstore"
)

// begin begins the transaction, and sends the first statement along: that saves waiting
// for the server once, and a transaction that ends before its first statement needs no
// connection. The results are to be closed before the next statement.
func (t *transaction) begin(ctx context.Context, statement string, args []any) (pgx.BatchResults, error) {
	select {
	case t.driver.turns <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	batch := &pgx.Batch{}
	batch.BeginTx(pgx.TxOptions{})
	batch.Queue(statement, args...)
	results := t.driver.pool.SendBatch(ctx, batch)
	t.tx = results.Tx()
	if _, err := results.Exec(); err != nil {
		_ = results.Close() // says the same again
		return nil, t.explain(err)
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
	return firstRows{transactionRows{&rows{Rows: found}, t}, results}, nil
}

// firstRows are the rows of the first query of a transaction.
type firstRows struct {
	transactionRows
	results pgx.BatchResults
}

func (r firstRows) Close() error {
	err := r.transactionRows.Close()
	if closing := r.results.Close(); err == nil {
		err = r.tx.explain(closing)
	}
	return err
}

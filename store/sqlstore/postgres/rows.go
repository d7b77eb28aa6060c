package postgres

import "github.com/jackc/pgx/v5"

// rows are [sqlstore.Rows].
type rows struct{ pgx.Rows }

// Close gives the connection back. PostgreSQL reports some errors, such as a value that
// must be unique, only when the rows have ended: Close returns them too.
func (r rows) Close() error {
	r.Rows.Close()
	return r.Err()
}

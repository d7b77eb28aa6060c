package sqlite

import "context"

// Sample makes statistics of a file, as if its tables were too large to be counted.
func Sample(ctx context.Context, file string) error {
	db, err := connect(file, true)
	if err != nil {
		return err
	}
	w, err := openWriter(ctx, db)
	if err != nil {
		return err
	}
	defer func() { _ = w.db.Close() }()
	defer func() { _ = w.conn.Close() }()
	return w.optimize(ctx, sampleStatistics)
}

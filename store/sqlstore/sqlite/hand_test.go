package sqlite_test

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"testing"
	"time"
)

// byHand opens the benchmarks' file again, with plain database/sql.
func byHand(b *testing.B, path string) (*sql.DB, hand) {
	b.Helper()
	db, err := sql.Open("sqlite", "file:"+path+"?_pragma=busy_timeout(5000)&_pragma=synchronous(OFF)&_txlock=immediate")
	if err != nil {
		b.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	b.Cleanup(func() { _ = db.Close() })
	prepare := func(text string) *sql.Stmt {
		prepared, err := db.PrepareContext(b.Context(), text)
		if err != nil {
			b.Fatal(err)
		}
		return prepared
	}
	return db, hand{
		get:  prepare(`SELECT ` + handColumns + ` FROM treasures WHERE id = ?`),
		list: prepare(`SELECT ` + handColumns + ` FROM treasures WHERE is_published IN (?) AND value >= ? ORDER BY name, id LIMIT 30`),
		insert: prepare(`INSERT INTO treasures (name, description, value, cool_factor, is_published, weight, plundered_at, tags, marks, name__folded) ` +
			`VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id`),
		update: prepare(`UPDATE treasures SET value = ?, is_published = ?, weight = ? WHERE id = ?`),
	}
}

// scanByHand reads a row.
func scanByHand(scan func(...any) error) (*Treasure, error) {
	var t Treasure
	var at, tags, marks string
	if err := scan(&t.ID, &t.Name, &t.Description, &t.Value, &t.CoolFactor, &t.IsPublished, &t.Weight, &at, &tags, &marks); err != nil {
		return nil, err
	}
	var err error
	if t.PlunderedAt, err = time.Parse(time.RFC3339Nano, at); err != nil {
		return nil, err
	}
	if err := json.Unmarshal([]byte(tags), &t.Tags); err != nil {
		return nil, err
	}
	return &t, json.Unmarshal([]byte(marks), &t.Marks)
}

// BenchmarkByHand is the baseline of BenchmarkStore.
func BenchmarkByHand(b *testing.B) {
	_, path := filled(b, 10_000)
	db, h := byHand(b, path)
	ctx := context.Background()
	run(b, map[string]func(i int) error{
		"get": func(i int) error { _, err := scanByHand(h.get.QueryRowContext(ctx, 1+i%10_000).Scan); return err },
		"list": func(int) error {
			rows, err := h.list.QueryContext(ctx, true, 500)
			if err != nil {
				return err
			}
			defer func() { _ = rows.Close() }()
			all := make([]*Treasure, 0, 30)
			for rows.Next() {
				t, err := scanByHand(rows.Scan)
				if err != nil {
					return err
				}
				all = append(all, t)
			}
			if len(all) != 30 {
				return errors.New("no page")
			}
			return rows.Err()
		},
		"insert": func(i int) error { return h.insertByHand(ctx, db, treasure(i)) },
		"patch":  func(i int) error { return h.patchByHand(ctx, db, i) },
	})
}

func (h hand) insertByHand(ctx context.Context, db *sql.DB, t *Treasure) error {
	tags, err := json.Marshal(t.Tags)
	if err != nil {
		return err
	}
	marks, err := json.Marshal(t.Marks)
	if err != nil {
		return err
	}
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }()
	row := tx.StmtContext(ctx, h.insert).QueryRowContext(ctx, t.Name, t.Description, t.Value, t.CoolFactor, t.IsPublished, t.Weight,
		t.PlunderedAt.Format("2006-01-02T15:04:05.000000Z"), string(tags), string(marks), t.Name)
	if err := row.Scan(&t.ID); err != nil {
		return err
	}
	return tx.Commit()
}

func (h hand) patchByHand(ctx context.Context, db *sql.DB, i int) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }()
	t, err := scanByHand(tx.StmtContext(ctx, h.get).QueryRowContext(ctx, 1+i%10_000).Scan)
	if err != nil {
		return err
	}
	if _, err := tx.StmtContext(ctx, h.update).ExecContext(ctx, int64(i), !t.IsPublished, 2.5, t.ID); err != nil {
		return err
	}
	return tx.Commit()
}

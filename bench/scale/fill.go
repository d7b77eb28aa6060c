package main

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/trove-api/trove/store/sqlstore"
)

// prepare creates the tables, fills them, creates their indexes, and returns the API.
func (d *database) prepare(ctx context.Context, rows int) (http.Handler, error) {
	for _, table := range []string{"items", "accounts"} {
		if err := d.run(ctx, "DROP TABLE IF EXISTS "+table); err != nil {
			return nil, err
		}
	}
	t := newTables(d.db)
	text, err := sqlstore.DDL(t.accounts, t.items)
	if err != nil {
		return nil, err
	}
	var later []string // indexes, which are faster to create when the rows exist
	for statement := range strings.SplitSeq(strings.TrimSpace(text), ";\n\n") {
		if !strings.HasPrefix(statement, "CREATE TABLE") {
			later = append(later, statement)
		} else if err := d.run(ctx, statement); err != nil {
			return nil, err
		}
	}
	owners := max(1, rows/10)
	err = d.fill(ctx, "accounts", []string{"id", "name", "city"}, owners, func(i int) []any {
		return []any{i, fmt.Sprintf("account%d", i), fmt.Sprintf("city%d", i%100)}
	})
	if err != nil {
		return nil, err
	}
	parts := strings.Fields(words)
	columns := []string{"id", "name", "name__folded", "status", "value", "published", "note", "created_at", "owner"}
	err = d.fill(ctx, "items", columns, rows, func(i int) []any {
		random := scattered(i)
		name := fmt.Sprintf("%s %s %d", parts[random%len(parts)], parts[random/97%len(parts)], i)
		at := d.time(time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC).Add(time.Duration(random) * time.Second))
		return []any{i, name, name, status(random), random % 1_000_000, random%2 == 0, "A note that is as long as most.", at, 1 + random%owners}
	})
	if err != nil {
		return nil, err
	}
	for _, statement := range slices.Concat(later, d.settle) {
		if err := d.run(ctx, statement); err != nil {
			return nil, err
		}
	}
	return t.api()
}

// scattered returns a number that is different for each i below 2^31, in no order.
func scattered(i int) int { return i * 1_103_515_245 & (1<<31 - 1) }

// status returns open for one of five.
func status(random int) string {
	switch random / 7 % 5 {
	case 0:
		return "open"
	case 1:
		return "lost"
	}
	return "closed"
}

// words are parts of names.
const words = `amber anchor arrow basket beacon bottle bridge bronze button candle canvas carbon cedar chain chest
	cobalt compass copper coral cotton crystal dagger diamond dragon ember falcon feather garnet goblet granite hammer harbor
	indigo ivory jasper kettle ladder lantern leather linen maple marble mirror needle oak onyx opal pearl pewter quartz quilt
	ribbon ruby saddle sapphire shell silver timber topaz velvet violin willow`

package main

import (
	"encoding/json"
	"log/slog"
	"net/http"

	"github.com/trove-api/trove/operation"
	"github.com/trove-api/trove/resource"
)

// line is a line of the report.
type line struct {
	Product string `json:"product"`
	Orders  int    `json:"orders"`
	Cents   int64  `json:"cents"`
}

// report sends what the caller has bought most, by product.
func (a *app) report(w http.ResponseWriter, r *http.Request) {
	lines, err := a.linesOf(r)
	if err != nil {
		slog.ErrorContext(r.Context(), "no report", "error", err)
		resource.WriteError(w, r, operation.Error{Status: http.StatusInternalServerError})
		return
	}
	w.Header().Set("Content-Type", "application/json")
	if err := json.NewEncoder(w).Encode(lines); err != nil {
		slog.InfoContext(r.Context(), "the client is gone", "error", err)
	}
}

func (a *app) linesOf(r *http.Request) ([]line, error) {
	user, _ := operation.PrincipalAs[*User](r.Context())
	rows, err := a.db.Query(r.Context(), a.db.Rebind(`
		SELECT product, COUNT(*), SUM(cents) FROM orders WHERE owner = ? GROUP BY product ORDER BY 3 DESC, 1 LIMIT 100`), user.Name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	lines := []line{}
	for rows.Next() {
		var l line
		if err := rows.Scan(&l.Product, &l.Orders, &l.Cents); err != nil {
			return nil, err
		}
		lines = append(lines, l)
	}
	return lines, rows.Err()
}

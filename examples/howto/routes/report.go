package main

import (
	"encoding/json"
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
		resource.WriteError(w, r, operation.Error{Status: http.StatusInternalServerError})
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(lines) // an error means that the client is gone
}

func (a *app) linesOf(r *http.Request) ([]line, error) {
	user, _ := operation.PrincipalAs[*User](r.Context())
	rows, err := a.db.Query(r.Context(), a.db.Rebind(`
		SELECT product, COUNT(*), SUM(cents) FROM orders WHERE owner = ? GROUP BY product ORDER BY 3 DESC, 1 LIMIT 100`), user.Name)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
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

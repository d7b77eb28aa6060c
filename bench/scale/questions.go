package main

import (
	"fmt"
	"strconv"
)

// question is a request, and what a program would do by hand.
type question struct {
	name   string
	target string
	hand   string // the statement, with question marks
	args   []any
}

const (
	fields  = `id, name, status, value, published, note, created_at, owner`
	columns = `SELECT ` + fields + ` FROM items `
	seen    = `(published OR owner = 7)`
	inCity  = `owner IN (SELECT id FROM accounts WHERE city = 'city5')`
)

// bounded counts as far as a page does.
func bounded(where string) string {
	return `(SELECT COUNT(*) FROM (SELECT 1 FROM items ` + where + ` LIMIT 10001) AS c)`
}

// page returns the statement of a page with its total.
func page(where, order string) string {
	return `SELECT ` + fields + `, ` + bounded(where) + ` FROM items ` + where + ` ORDER BY ` + order + ` LIMIT 31`
}

// questions are the requests, for tables with a number of items.
func questions(rows int) []question {
	middle := rows / 2
	rare := strconv.Itoa(rows - 7)
	holds := "WHERE name__folded LIKE '%" + rare + "%'"
	return []question{
		{"get", fmt.Sprintf("/items/%d", middle), columns + `WHERE id = ?`, []any{middle}},
		{"page", "/items", page("", "id"), nil},
		{"page, total alone", "/items?itemsPerPage=0", `SELECT ` + bounded(""), nil},
		{"page by cursor", "/items?cursor=", columns + `ORDER BY id LIMIT 31`, nil},
		{"last page by number", fmt.Sprintf("/items?page=%d", rows/30), page("", "id") + fmt.Sprintf(" OFFSET %d", (rows/30-1)*30), nil},
		{"sort=-value", "/items?sort=-value", page("", "value DESC, id DESC"), nil},
		{"sort=-createdAt by cursor", "/items?sort=-createdAt&cursor=", columns + `ORDER BY created_at DESC, id DESC LIMIT 31`, nil},
		{"status=open", "/items?status=open", page("WHERE status = 'open'", "id"), nil},
		{"status=open by cursor", "/items?status=open&cursor=", columns + `WHERE status = 'open' ORDER BY id LIMIT 31`, nil},
		{
			"status=open, sort=-value by cursor", "/items?status=open&sort=-value&cursor=",
			columns + `WHERE status = 'open' ORDER BY value DESC, id DESC LIMIT 31`, nil,
		},
		{"value[between]", "/items?value%5Bbetween%5D=500..510", page("WHERE value BETWEEN 500 AND 510", "id"), nil},
		{"half, by value[gte]", "/items?value%5Bgte%5D=500000", page("WHERE value >= 500000", "id"), nil},
		{"name=, partial, one", "/items?name=" + rare, page(holds, "id"), nil},
		{"name=, partial, none", "/items?name=zzzzz", page("WHERE name__folded LIKE '%zzzzz%'", "id"), nil},
		{"name=, partial, many", "/items?name=amber", page("WHERE name__folded LIKE '%amber%'", "id"), nil},
		{"name=, partial, one by cursor", "/items?cursor=&name=" + rare, columns + holds + ` ORDER BY id LIMIT 31`, nil},
		{"q=, search, one", "/items?q=" + rare, page(holds, "id"), nil},
		{"owner=", "/items?owner=/api/accounts/77", page("WHERE owner = 77", "id"), nil},
		{"owner.city= (1 %)", "/items?owner.city=city5", page("WHERE "+inCity, "id"), nil},
		{"owner.city= by cursor", "/items?owner.city=city5&cursor=", columns + `WHERE ` + inCity + ` ORDER BY id LIMIT 31`, nil},
		{
			"expand=owner by cursor", "/items?expand=owner&cursor=", `SELECT i.id, i.name, i.status, i.value, i.published, i.note, i.created_at, a.* ` +
				`FROM items i JOIN accounts a ON a.id = i.owner ORDER BY i.id LIMIT 31`, nil,
		},
		{"rule with OR", "/owns", page("WHERE "+seen, "id"), nil},
		{"rule with OR, by cursor", "/owns?cursor=", columns + `WHERE ` + seen + ` ORDER BY id LIMIT 31`, nil},
		{"rule with OR, sort=-value by cursor", "/owns?sort=-value&cursor=", columns + `WHERE ` + seen + ` ORDER BY value DESC, id DESC LIMIT 31`, nil},
		{
			"aggregate", "/items/aggregate?group=status&sum=value",
			`SELECT status, COUNT(*), SUM(value) FROM items GROUP BY status ORDER BY status`, nil,
		},
	}
}

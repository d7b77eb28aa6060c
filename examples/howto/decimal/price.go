package main

import "github.com/shopspring/decimal"

// Price is an exact amount of money: "12.50" in JSON, and NUMERIC(12, 2) on PostgreSQL.
type Price struct{ decimal.Decimal }

// DecimalDigits makes it a store.Decimal.
func (Price) DecimalDigits() (precision, scale int) { return 12, 2 }

// MarshalText writes both digits of the cents. That of the library would write 12.5.
func (p Price) MarshalText() ([]byte, error) { return []byte(p.StringFixed(2)), nil }

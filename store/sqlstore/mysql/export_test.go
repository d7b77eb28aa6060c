package mysql

import (
	"context"

	"github.com/go-sql-driver/mysql"

	"github.com/trove-api/trove/store/sqlstore"
)

// Connect returns the driver of what [Open] opens.
func Connect(ctx context.Context, dsn string) (sqlstore.Driver, error) {
	d, err := connect(ctx, dsn)
	if err != nil {
		return nil, err
	}
	return d, nil
}

// Parse reads a DSN.
func Parse(dsn string) (config *mysql.Config, connections int, err error) { return parse(dsn) }

// IsOlder reports whether a version comes before another one.
func IsOlder(version string, than [3]int) bool { return isOlder(version, than) }

// FaultOf classifies an error.
func FaultOf(err error) sqlstore.Fault { return faultOf(err) }

// Limits returns what a column of a type can hold.
func Limits(declared string) (least, most string, length int) { return new(driver).Limits(declared) }

// MySQL returns the dialect of a server of MySQL.
func MySQL() sqlstore.Dialect { return new(driver).Dialect() }

// Doubts reports whether a driver knows of a lost connection.
func Doubts(d sqlstore.Driver) bool {
	own, ok := d.(*driver)
	return ok && own.health.Doubts()
}

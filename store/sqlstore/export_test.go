package sqlstore

// DriverOf returns the driver of a database, for a wrapper.
func DriverOf(db *DB) Driver { return db.driver }

// Rebind replaces the question marks of a statement with numbered placeholders.
var Rebind = rebind

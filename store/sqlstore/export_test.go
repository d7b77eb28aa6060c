package sqlstore

// DriverOf returns the driver of a database, for a wrapper.
func DriverOf(db *DB) Driver { return db.driver }

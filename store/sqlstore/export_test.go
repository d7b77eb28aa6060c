package sqlstore

// DriverOf returns the driver of a database, for one that stands around it.
func DriverOf(db *DB) Driver { return db.driver }

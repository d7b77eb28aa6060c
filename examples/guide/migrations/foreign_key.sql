PRAGMA foreign_keys = OFF;
BEGIN;
CREATE TABLE new_treasures (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	owner INTEGER NOT NULL,
	tags TEXT NOT NULL,
	CONSTRAINT treasures_owner_fkey FOREIGN KEY (owner) REFERENCES users (id)
) STRICT;
INSERT INTO new_treasures (id, owner, tags) SELECT id, owner, tags FROM treasures;
DROP TABLE treasures;
ALTER TABLE new_treasures RENAME TO treasures;
PRAGMA foreign_key_check;
COMMIT;
PRAGMA foreign_keys = ON;

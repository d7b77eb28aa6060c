CREATE TABLE IF NOT EXISTS "tents" (
	"id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	"camp" INTEGER NOT NULL,
	"number" INTEGER NOT NULL,
	"from" INTEGER,
	"until" INTEGER,
	"status" TEXT NOT NULL,
	"grade" REAL NOT NULL,
	"taken" INTEGER
) STRICT;

CREATE UNIQUE INDEX IF NOT EXISTS "tents_camp_number_key" ON "tents" (`camp`, `number`);

CREATE UNIQUE INDEX IF NOT EXISTS "tents_camp_number_grade_9f0a0917_key" ON "tents" (`camp`, `number`, `grade`) WHERE ("status" IN ('it''s new') AND ("taken" IS NOT NULL AND ("taken" IS NULL OR NOT "taken" IN (TRUE))));

CREATE UNIQUE INDEX IF NOT EXISTS "tents_camp_number_grade_c42bc671_key" ON "tents" (`camp`, `number`, `grade`) WHERE "status" IN ('old', 'older');

CREATE INDEX IF NOT EXISTS "tents_camp_from_until_69e4df20_excl" ON "tents" (`camp`, `from`, `until`) WHERE ("grade" IS NULL OR NOT "grade" IN (1.5, 2));

CREATE INDEX IF NOT EXISTS "tents_status_camp_idx" ON "tents" (`status`, `camp`, `id`);


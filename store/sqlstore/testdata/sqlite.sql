CREATE TABLE IF NOT EXISTS "items" (
	"id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	"name" TEXT NOT NULL,
	"alias" TEXT,
	"level" TEXT NOT NULL,
	"active" INTEGER NOT NULL,
	"known" INTEGER,
	"count" INTEGER NOT NULL,
	"rank" INTEGER,
	"size" INTEGER NOT NULL,
	"score" REAL,
	"seen_at" TEXT NOT NULL,
	"left_at" TEXT,
	"key" TEXT NOT NULL,
	"ref" TEXT,
	"place" TEXT NOT NULL,
	"home" TEXT,
	"price" TEXT NOT NULL,
	"offer" TEXT,
	"name__folded" TEXT NOT NULL,
	"alias__folded" TEXT,
	"place__city" TEXT NOT NULL,
	"place__city__folded" TEXT NOT NULL,
	"place__floor" INTEGER,
	"place__since" TEXT,
	"place__fee" TEXT,
	"place__fee__order" TEXT,
	"home__city" TEXT,
	"home__city__folded" TEXT,
	"home__floor" INTEGER,
	"home__since" TEXT,
	"home__fee" TEXT,
	"home__fee__order" TEXT,
	"price__order" TEXT NOT NULL,
	"offer__order" TEXT
) STRICT;

CREATE INDEX IF NOT EXISTS "items_name_idx" ON "items" (`name`, `id`);

CREATE INDEX IF NOT EXISTS "items_alias_idx" ON "items" (`alias`, `id`);

CREATE INDEX IF NOT EXISTS "items_level_idx" ON "items" (`level`, `id`);

CREATE INDEX IF NOT EXISTS "items_active_idx" ON "items" (`active`, `id`);

CREATE INDEX IF NOT EXISTS "items_known_idx" ON "items" (`known`, `id`);

CREATE INDEX IF NOT EXISTS "items_count_idx" ON "items" (`count`, `id`);

CREATE INDEX IF NOT EXISTS "items_rank_idx" ON "items" (`rank`, `id`);

CREATE INDEX IF NOT EXISTS "items_size_idx" ON "items" (`size`, `id`);

CREATE INDEX IF NOT EXISTS "items_score_idx" ON "items" (`score`, `id`);

CREATE INDEX IF NOT EXISTS "items_seen_at_idx" ON "items" (`seen_at`, `id`);

CREATE INDEX IF NOT EXISTS "items_left_at_idx" ON "items" (`left_at`, `id`);

CREATE INDEX IF NOT EXISTS "items_key_idx" ON "items" (`key`, `id`);

CREATE INDEX IF NOT EXISTS "items_ref_idx" ON "items" (`ref`, `id`);

CREATE INDEX IF NOT EXISTS "items_place__city_idx" ON "items" (`place__city`, `id`);

CREATE INDEX IF NOT EXISTS "items_place__floor_idx" ON "items" (`place__floor`, `id`);

CREATE INDEX IF NOT EXISTS "items_place__since_idx" ON "items" (`place__since`, `id`);

CREATE INDEX IF NOT EXISTS "items_place__fee__order_idx" ON "items" (`place__fee__order`, `id`);

CREATE INDEX IF NOT EXISTS "items_home__city_idx" ON "items" (`home__city`, `id`);

CREATE INDEX IF NOT EXISTS "items_home__floor_idx" ON "items" (`home__floor`, `id`);

CREATE INDEX IF NOT EXISTS "items_home__since_idx" ON "items" (`home__since`, `id`);

CREATE INDEX IF NOT EXISTS "items_home__fee__order_idx" ON "items" (`home__fee__order`, `id`);

CREATE INDEX IF NOT EXISTS "items_price__order_idx" ON "items" (`price__order`, `id`);

CREATE INDEX IF NOT EXISTS "items_offer__order_idx" ON "items" (`offer__order`, `id`);

CREATE TABLE IF NOT EXISTS "keyeds" (
	"nickname" TEXT NOT NULL PRIMARY KEY,
	"points" INTEGER NOT NULL
) STRICT;

CREATE TABLE IF NOT EXISTS "tokens_of_ours" (
	"id" TEXT NOT NULL PRIMARY KEY,
	"label" TEXT NOT NULL
) STRICT;


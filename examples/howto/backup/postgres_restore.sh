#!/bin/sh
# Restores a backup into an empty database: postgres_restore.sh shop-2026-11-30.dump postgres://backup@db.example/restored
set -eu
pg_restore --no-owner --exit-on-error --single-transaction --dbname="$2" "$1"

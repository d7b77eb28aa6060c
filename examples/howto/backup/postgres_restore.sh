#!/bin/sh
# Restores a backup into an empty database: postgres_restore.sh backup.dump postgres://…/restored
set -eu
pg_restore --no-owner --exit-on-error --single-transaction --dbname="$2" "$1"

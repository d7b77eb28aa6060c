#!/bin/sh
# Backs up a database of PostgreSQL while programs use it: postgres.sh postgres://…/shop backup.dump
set -eu
pg_dump --format=custom --no-owner --file="$2" "$1"

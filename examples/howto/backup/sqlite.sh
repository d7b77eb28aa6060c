#!/bin/sh
# Backs up an SQLite database while programs use it: sqlite.sh shop.db backup.db
set -eu
sqlite3 "$1" ".timeout 10000" "VACUUM INTO '$2'"
[ "$(sqlite3 "$2" "PRAGMA integrity_check")" = ok ]

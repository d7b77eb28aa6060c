#!/bin/sh
# Backs up an SQLite database while programs use it, into a new file: sqlite.sh shop.db "shop-$(date +%F).db"
set -eu
umask 077 # only the owner can read the copy
sqlite3 "$1" ".timeout 10000" "VACUUM INTO '$2'"
[ "$(sqlite3 "$2" "PRAGMA integrity_check")" = ok ]

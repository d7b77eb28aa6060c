#!/bin/sh
# Restores a backup into an empty database: mariadb_restore.sh client.cnf shop-2026-11-30.sql restored
set -eu
mariadb --defaults-extra-file="$1" "$3" <"$2"

#!/bin/sh
# Restores a backup into an empty database: mariadb_restore.sh client.cnf backup.sql restored
set -eu
mariadb --defaults-extra-file="$1" "$3" <"$2"

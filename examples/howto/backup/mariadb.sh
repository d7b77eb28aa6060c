#!/bin/sh
# Backs up a database of MariaDB while programs use it: mariadb.sh client.cnf shop backup.sql
set -eu
mariadb-dump --defaults-extra-file="$1" --single-transaction --quick --routines --result-file="$3" "$2"
tail -n 1 "$3" | grep -q "^-- Dump completed"

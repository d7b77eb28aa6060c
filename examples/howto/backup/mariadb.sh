#!/bin/sh
# Backs up a database of MariaDB while programs use it: mariadb.sh client.cnf shop "shop-$(date +%F).sql"
set -eu
umask 077 # only the owner can read the dump
mariadb-dump --defaults-extra-file="$1" --single-transaction --quick --routines --result-file="$3" "$2"
tail -n 1 "$3" | grep -q "^-- Dump completed"

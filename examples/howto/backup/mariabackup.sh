#!/bin/sh
# Copies the files of a server of MariaDB while programs use it: mariabackup.sh client.cnf /var/lib/mysql "/backups/$(date +%F)"
set -eu
umask 077 # only the owner can read the copy
mariabackup --defaults-extra-file="$1" --backup --datadir="$2" --target-dir="$3"
mariabackup --prepare --target-dir="$3" # a server can start on it now

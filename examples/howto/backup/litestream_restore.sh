#!/bin/sh
# Restores a database that Litestream has copied, into a new file: litestream_restore.sh /mnt/backups/shop shop.db
set -eu
umask 077
litestream restore -o "$2" "file://$1"

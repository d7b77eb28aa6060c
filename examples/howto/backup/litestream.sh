#!/bin/sh
# Copies each change of an SQLite database to another place within a second, until it is stopped: litestream.sh shop.db /mnt/backups/shop
set -eu
umask 077 # only the owner can read the copy
exec litestream replicate "$1" "file://$2"

#!/bin/sh
# Backs up a database of PostgreSQL while programs use it: postgres.sh postgres://backup@db.example/shop "shop-$(date +%F).dump"
set -eu
umask 077 # only the owner can read the dump
pg_dump --format=custom --no-owner --file="$2" "$1"

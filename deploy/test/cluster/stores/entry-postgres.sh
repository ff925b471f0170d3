#!/bin/sh
# Like the public image: creates the cluster once, then runs the given command.
set -e
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  (umask 077; printf %s "$POSTGRES_PASSWORD" >/tmp/password)
  initdb -D "$PGDATA" -U postgres --pwfile=/tmp/password -A scram-sha-256 --locale=C --encoding=UTF8
  rm /tmp/password
  echo 'host all all all scram-sha-256' >>"$PGDATA/pg_hba.conf"
fi
exec "$@" -c 'listen_addresses=*'

#!/bin/bash
# As the public image: KAFKA_SOME_NAME becomes some.name.
set -e
mkdir -p "$KAFKA_LOG_DIRS"
for name in ${!KAFKA_*}; do
  case $name in KAFKA_HEAP_OPTS) continue ;; esac
  key=${name#KAFKA_}
  key=${key,,}
  echo "${key//_/.}=${!name}"
done >/tmp/kafka.properties
if [ ! -e "$KAFKA_LOG_DIRS/meta.properties" ]; then
  id() { head -c 16 /dev/urandom | base64 | tr '+/' '-_' | tr -d =; }
  printf 'version=1\ncluster.id=%s\nnode.id=%s\ndirectory.id=%s\n' "$(id)" "$KAFKA_NODE_ID" "$(id)" \
    >"$KAFKA_LOG_DIRS/meta.properties"
fi
exec java $KAFKA_HEAP_OPTS -XX:+UseSerialGC -XX:TieredStopAtLevel=1 \
  -Dorg.slf4j.simpleLogger.defaultLogLevel=warn -cp '/opt/kafka/*' kafka.Kafka /tmp/kafka.properties

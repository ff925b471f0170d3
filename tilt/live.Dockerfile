# Follows the Dockerfile under Tilt: a service's own files on an image with a shell and tar, which
# are what files are replaced with. Its first process starts the service again when it is told to.
FROM ${TARGET} AS target
FROM ${NODE_IMAGE} AS live
ARG DIRECTORY
ENV NODE_ENV=production KAFKAJS_NO_PARTITIONER_WARNING=1 GATEWAY_SITE_DIR=/app/site
# the charts' user
COPY --from=target --chown=10001:10001 /app /app
COPY --from=manifests /all/tilt/restarter.ts /app/tilt/restarter.ts
WORKDIR /app/${DIRECTORY}
USER 10001:10001
ENTRYPOINT ["/usr/local/bin/node"]
# Jobs have other arguments: they must end, and are not started again
CMD ["/app/tilt/restarter.ts", "--import", "@pto/telemetry/register", "src/main.ts"]

# Follows the Dockerfile under Tilt: a service's own files on an image with a shell and tar, which
# are what files are replaced with. Node itself watches them and starts its program again; the first
# process stays, and so does the pod.
FROM ${TARGET} AS target
FROM ${NODE_IMAGE} AS live
ARG DIRECTORY
ENV NODE_ENV=production KAFKAJS_NO_PARTITIONER_WARNING=1
# the charts' user
COPY --from=target --chown=10001:10001 /app /app
WORKDIR /app/${DIRECTORY}
USER 10001:10001
ENTRYPOINT ["/usr/local/bin/node", "--disable-warning=TimeoutNegativeWarning"]
# Jobs have other arguments, and so do not watch: they must end
CMD ["--watch", "--watch-preserve-output", "--watch-path=/app/packages", "--watch-path=/app/proto", "--watch-path=.", "--import", "@pto/telemetry/register", "src/main.ts"]

# Follows the Dockerfile under Tilt: the checkout's own files on an image with a shell and tar, which
# are what files are replaced with. Its first process starts the program again when it is told to.
FROM ${NODE_IMAGE} AS no-site
RUN mkdir /site
FROM ${SITE} AS pages
FROM checkout AS linked
ARG TARGET
RUN node dev/bundle/src/link-programs.ts ${TARGET} programs
FROM ${NODE_IMAGE} AS live
ENV NODE_ENV=production KAFKAJS_NO_PARTITIONER_WARNING=1 GATEWAY_SITE_DIR=/site
# the charts' user
COPY --from=linked --chown=10001:10001 /checkout /app
COPY --from=pages --chown=10001:10001 /site /site
WORKDIR /app/programs
USER 10001:10001
ENTRYPOINT ["/usr/local/bin/node"]
# Jobs have other arguments: they must end, and are not started again
CMD ["/app/tilt/restarter.ts", "--import", "./register.mjs", "main.mjs"]

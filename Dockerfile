# One image per service, and one for the operator's command line:
#   docker build --target orders -t partner-api/orders .
# Each holds its bill of materials (CycloneDX) at /app/sbom.cdx.json; tools/provenance.ts states what
# an image was built from. The base is pinned: docs/operators/install.md, "Images", says how to
# renew it.
ARG NODE_IMAGE=docker.io/library/node:24-bookworm-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6

# The manifests alone: what npm installs depends on nothing else, so that a change of code keeps
# the layers of its packages.
FROM ${NODE_IMAGE} AS manifests
WORKDIR /all
COPY . .
RUN mkdir /manifests \
 && find . -name package.json -exec cp --parents {} /manifests \; \
 && cp package-lock.json /manifests

FROM ${NODE_IMAGE} AS npm
WORKDIR /checkout
COPY --from=manifests /manifests .
# without lifecycle scripts and npm's own traces
ENV NPM_CONFIG_CACHE=/tmp/npm NPM_CONFIG_UPDATE_NOTIFIER=false \
    INSTALL="npm ci --ignore-scripts --no-audit --no-fund" \
    PROGRAMS="--omit=dev --workspace services --workspace operator --workspace verifiers/witness" \
    BUNDLE="node dev/bundle/src/main.ts" \
    FILL="node dev/bundle/src/fill-compile-cache.ts /app 10001"

# The documentation site, with the packages of the clients: built with packages that no image keeps.
FROM npm AS site
RUN $INSTALL --workspace site --workspace services/gateway --workspace clients/command-line
COPY --from=manifests /all .
RUN node site/src/main.ts /site

# The web application of the console, likewise.
FROM npm AS console-web
RUN $INSTALL --workspace console
COPY --from=manifests /all .
RUN node console/build/main.ts /console

# The checkout with the packages of all programs, and the bundler, which no image keeps.
FROM npm AS checkout
RUN $INSTALL $PROGRAMS --workspace dev/bundle && rm -rf /tmp/npm
COPY --from=manifests /all .

# What each image contains: its programs as bundles, the files that they read, the bill of
# materials, and the code that Node has compiled of the bundles. Node uses the compile cache only at
# this path and as this user.
FROM checkout AS gateway-app
RUN $BUNDLE gateway /app && $FILL
FROM checkout AS operators-app
RUN $BUNDLE operators /app && $FILL
FROM checkout AS orders-app
RUN $BUNDLE orders /app && $FILL
FROM checkout AS custody-app
RUN $BUNDLE custody /app && $FILL
FROM checkout AS webhooks-app
RUN $BUNDLE webhooks /app && $FILL
FROM checkout AS courier-app
RUN $BUNDLE courier /app && $FILL
FROM checkout AS console-app
RUN $BUNDLE console /app && $FILL
FROM checkout AS operator-app
RUN $BUNDLE operator /app && $FILL
FROM checkout AS witness-app
RUN $BUNDLE witness /app && $FILL

# Node, the libraries that it is linked with, and a user: no shell, no package manager.
FROM ${NODE_IMAGE} AS root
RUN mkdir -p /root-fs/usr/local/bin /root-fs/etc /root-fs/tmp /root-fs/app \
 && cp /usr/local/bin/node /root-fs/usr/local/bin/ \
 && ldd /usr/local/bin/node | grep -o '/[^ ]*' | xargs -I{} cp --parents -L {} /root-fs \
 && echo 'node:x:10001:10001::/app:/sbin/nologin' >/root-fs/etc/passwd \
 && echo 'node:x:10001:' >/root-fs/etc/group \
 && echo 'hosts: files dns' >/root-fs/etc/nsswitch.conf \
 && chmod 1777 /root-fs/tmp

FROM scratch AS runtime
ARG VERSION=0.0.0
ARG REVISION=unknown
LABEL org.opencontainers.image.vendor="Partner Transport Orders" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}"
COPY --from=root /root-fs /
# V8 lets garbage and buffers grow to twice its heap before it collects them, so a heap of half of the
# pod's memory, its default, can exceed that memory.
ENV PATH=/usr/local/bin NODE_ENV=production KAFKAJS_NO_PARTITIONER_WARNING=1 \
    NODE_COMPILE_CACHE=/app/compile-cache NODE_OPTIONS=--max-old-space-size-percentage=30
WORKDIR /app/programs
USER 10001:10001
# Node is the first process: signals reach it as they are.
ENTRYPOINT ["/usr/local/bin/node"]
CMD ["--import", "./register.mjs", "main.mjs"]

FROM runtime AS gateway
LABEL org.opencontainers.image.title="gateway" \
      org.opencontainers.image.description="The partners' public API: keys, budgets, validation, REST to gRPC"
COPY --from=gateway-app /app /app
COPY --from=site /site /app/site
ENV GATEWAY_SITE_DIR=/app/site
EXPOSE 8080 8081 9090

FROM runtime AS operators
LABEL org.opencontainers.image.title="operators" \
      org.opencontainers.image.description="Organizations, API keys, operators' sign-in and audit log"
COPY --from=operators-app /app /app
EXPOSE 8443 8081 9090

FROM runtime AS orders
LABEL org.opencontainers.image.title="orders" \
      org.opencontainers.image.description="The authority on orders, locations and idempotency"
COPY --from=orders-app /app /app
EXPOSE 50051 8081 9090

FROM runtime AS custody
LABEL org.opencontainers.image.title="custody" \
      org.opencontainers.image.description="The ledger: one hash chain per order; also its auditor"
COPY --from=custody-app /app /app
EXPOSE 50051 8081 9090

FROM runtime AS webhooks
LABEL org.opencontainers.image.title="webhooks" \
      org.opencontainers.image.description="Endpoints, handshakes, deliveries, the egress guard"
COPY --from=webhooks-app /app /app
EXPOSE 50051 8081 9090

FROM runtime AS courier
LABEL org.opencontainers.image.title="courier" \
      org.opencontainers.image.description="Moves orders in the sandbox; production does not run it"
COPY --from=courier-app /app /app
EXPOSE 50051 8081 9090

FROM runtime AS console
LABEL org.opencontainers.image.title="console" \
      org.opencontainers.image.description="The operators' web application"
COPY --from=console-app /app /app
COPY --from=console-web /console /app/console
ENV CONSOLE_DIR=/app/console
EXPOSE 8080 9090

FROM runtime AS operator
LABEL org.opencontainers.image.title="operator" \
      org.opencontainers.image.description="The operator's command line"
COPY --from=operator-app /app /app
ENTRYPOINT ["/usr/local/bin/node", "main.mjs"]
CMD ["--help"]

FROM runtime AS witness
LABEL org.opencontainers.image.title="witness" \
      org.opencontainers.image.description="Cosigns the checkpoints of custody logs"
COPY --from=witness-app /app /app
EXPOSE 7380 9090

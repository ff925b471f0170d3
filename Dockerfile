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
WORKDIR /app
COPY --from=manifests /manifests .
# without lifecycle scripts, the optional binaries of a developer's machine, and npm's own traces
ENV NPM_CONFIG_CACHE=/tmp/npm NPM_CONFIG_UPDATE_NOTIFIER=false \
    INSTALL="npm ci --omit=dev --omit=optional --ignore-scripts --no-audit --no-fund" \
    INSTALL_SITE="npm ci --ignore-scripts --no-audit --no-fund --workspace site --workspace services/gateway" \
    LIST="npm sbom --sbom-format=cyclonedx --omit=dev --omit=optional --package-lock-only"

FROM npm AS gateway-modules
RUN $INSTALL --workspace services/gateway && $LIST --workspace services/gateway >sbom.cdx.json && rm -rf /tmp/npm
FROM npm AS orders-modules
RUN $INSTALL --workspace services/orders && $LIST --workspace services/orders >sbom.cdx.json && rm -rf /tmp/npm
FROM npm AS custody-modules
RUN $INSTALL --workspace services/custody && $LIST --workspace services/custody >sbom.cdx.json && rm -rf /tmp/npm
FROM npm AS webhooks-modules
RUN $INSTALL --workspace services/webhooks && $LIST --workspace services/webhooks >sbom.cdx.json && rm -rf /tmp/npm
# The documentation site: built with packages that no image keeps.
FROM npm AS site
RUN $INSTALL_SITE
COPY --from=manifests /all /app
RUN node site/src/main.ts /site
FROM npm AS operator-modules
RUN $INSTALL --workspace operator && $LIST --workspace operator >sbom.cdx.json && rm -rf /tmp/npm
FROM npm AS witness-modules
RUN $INSTALL --workspace verifiers/witness && $LIST --workspace verifiers/witness >sbom.cdx.json && rm -rf /tmp/npm

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
ENV PATH=/usr/local/bin NODE_ENV=production KAFKAJS_NO_PARTITIONER_WARNING=1
USER 10001:10001
# Node is the first process: signals reach it as they are.
ENTRYPOINT ["/usr/local/bin/node"]
CMD ["--import", "@pto/telemetry/register", "src/main.ts"]

FROM runtime AS gateway
LABEL org.opencontainers.image.title="gateway" \
      org.opencontainers.image.description="The partners' door: keys, budgets, validation, REST to gRPC"
COPY --from=gateway-modules /app /app
COPY --from=manifests /all/proto /app/proto
COPY --from=manifests /all/packages /app/packages
COPY --from=manifests /all/verifiers /app/verifiers
COPY --from=manifests /all/services/gateway /app/services/gateway
COPY --from=site /site /app/site
ENV GATEWAY_SITE_DIR=/app/site
WORKDIR /app/services/gateway
EXPOSE 8080 8081 9090

FROM runtime AS orders
LABEL org.opencontainers.image.title="orders" \
      org.opencontainers.image.description="The authority on orders, locations and idempotency"
COPY --from=orders-modules /app /app
COPY --from=manifests /all/proto /app/proto
COPY --from=manifests /all/packages /app/packages
COPY --from=manifests /all/verifiers /app/verifiers
COPY --from=manifests /all/services/orders /app/services/orders
WORKDIR /app/services/orders
EXPOSE 50051 8081 9090

FROM runtime AS custody
LABEL org.opencontainers.image.title="custody" \
      org.opencontainers.image.description="The ledger: one hash chain per order; also its auditor"
COPY --from=custody-modules /app /app
COPY --from=manifests /all/proto /app/proto
COPY --from=manifests /all/packages /app/packages
COPY --from=manifests /all/verifiers /app/verifiers
COPY --from=manifests /all/services/custody /app/services/custody
WORKDIR /app/services/custody
EXPOSE 50051 8081 9090

FROM runtime AS webhooks
LABEL org.opencontainers.image.title="webhooks" \
      org.opencontainers.image.description="Endpoints, handshakes, deliveries, the egress guard"
COPY --from=webhooks-modules /app /app
COPY --from=manifests /all/proto /app/proto
COPY --from=manifests /all/packages /app/packages
COPY --from=manifests /all/verifiers /app/verifiers
COPY --from=manifests /all/services/webhooks /app/services/webhooks
WORKDIR /app/services/webhooks
EXPOSE 50051 8081 9090

FROM runtime AS operator
LABEL org.opencontainers.image.title="operator" \
      org.opencontainers.image.description="The operator's command line"
COPY --from=operator-modules /app /app
COPY --from=manifests /all/proto /app/proto
COPY --from=manifests /all/packages /app/packages
COPY --from=manifests /all/verifiers /app/verifiers
COPY --from=manifests /all/operator /app/operator
WORKDIR /app/operator
CMD ["src/main.ts", "--help"]

FROM runtime AS witness
LABEL org.opencontainers.image.title="witness" \
      org.opencontainers.image.description="Cosigns the checkpoints of custody logs"
COPY --from=witness-modules /app /app
COPY --from=manifests /all/packages /app/packages
COPY --from=manifests /all/verifiers /app/verifiers
WORKDIR /app/verifiers/witness
EXPOSE 7380 9090

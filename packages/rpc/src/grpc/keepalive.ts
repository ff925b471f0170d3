/**
 * Keepalive of both ends of a connection. The process that pings, or its peer, may be stopped for
 * seconds on a busy machine. If that closed the connection, each call in flight would end as
 * UNAVAILABLE while the server goes on with it and commits: the caller never sees its result, such
 * as the secret of a new webhook. So the timeout is longer than the longest call, 14 s for a
 * handshake. A peer that is gone is noticed after 25 s; each of its calls ends at its own deadline.
 */
export const keepalive = {
  'grpc.keepalive_time_ms': 10_000,
  'grpc.keepalive_timeout_ms': 15_000,
} as const;

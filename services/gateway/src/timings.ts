/** Time limits of the gateway in ms. They are no settings; tests shorten them. */
export const gatewayTimings = {
  /** A connection is closed if it does not send the complete headers of a request in this time. */
  headersMs: 3000,
  /**
   * Maximum time until a request is received completely. A request that waits for its slot is not
   * read meanwhile: 20 s (organization-slots.ts), then `bodyMs` for its body.
   */
  requestMs: 40_000,
  /** Maximum time until a body is received completely, from when the gateway reads it. */
  bodyMs: 10_000,
  /** Time in which a client must end a body whose request was answered before. */
  lateBodyMs: 5000,
  /**
   * A connection without traffic for this long during a request or response is closed, unless the
   * response has not begun: each part of that work has a deadline of its own. If the client has read
   * the response in part, the connection is closed after up to twice this time. Longer than the
   * 14 s in which a route that waits for a receiver responds.
   */
  stillMs: 16_000,
  /** Maximum duration of an operation after it has its slot, unless its route has another one. */
  operationMs: 10_000,
};

export type Timings = Readonly<typeof gatewayTimings>;

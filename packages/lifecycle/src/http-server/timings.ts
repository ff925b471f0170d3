/** Time limits of a server for slow clients, in ms. Services shorten them only in tests. */
export const httpTimings = {
  /** A connection is closed if it does not send the complete headers of a request in this time. */
  headersMs: 3000,
  /**
   * Maximum time until a request is received completely: the file of a handover, 5 MiB as base64,
   * takes 56 s over 1 Mbit/s.
   */
  requestMs: 75_000,
  /** Time in which a client must end a body whose request was answered before. */
  lateBodyMs: 5000,
  /**
   * A connection without traffic for this long during a request or response is closed, unless the
   * response has not begun: each part of that work has a deadline of its own. If the client has read
   * the response in part, the connection is closed after up to twice this time.
   */
  stillMs: 16_000,
};

export type HttpTimings = Readonly<typeof httpTimings>;

export interface EgressRequest {
  /** Endpoint whose connections the request uses. Endpoints share no connections. */
  readonly endpointId: string;
  readonly method: 'GET' | 'POST';
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  /** Time limit from now to the last byte of the response that is read. */
  readonly timeoutMs: number;
  /**
   * Maximum number of body bytes that are read. If the body is longer, the client closes the
   * connection.
   */
  readonly responseMaxBytes: number;
  readonly signal?: AbortSignal | undefined;
}

export interface EgressResponse {
  readonly statusCode: number;
  /** The `Retry-After` header, not parsed. */
  readonly retryAfter: string | undefined;
  /** The response body, cut at `responseMaxBytes`. */
  readonly body: Buffer;
}

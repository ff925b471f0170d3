declare module 'kafkajs/src/network/requestQueue/index.js' {
  /** The requests of one connection to a broker; only the members that this package uses. */
  export default class RequestQueue {
    constructor(options: {
      maxInFlightRequests: number;
      requestTimeout: number;
      enforceRequestTimeout: boolean;
      clientId: string;
      broker: string;
      logger: { debug(): void; warn(): void };
      isConnected?: () => boolean;
    });
    readonly enforceRequestTimeout: boolean;
    readonly isConnected: () => boolean;
    readonly inflight: ReadonlyMap<
      number,
      { readonly sentAt: number; readonly requestTimeout: number; timeoutRequest(): void }
    >;
    requestTimeoutIntervalId?: NodeJS.Timeout;
    readonly pending: unknown[];
    readonly throttleCheckTimeoutId: NodeJS.Timeout | null;
    push(request: object): void;
    checkPendingRequests(): void;
    scheduleCheckPendingRequests(): void;
    scheduleRequestTimeoutCheck(): void;
    /** Ends the check for requests that exceed their timeout. */
    destroy(): void;
  }
}

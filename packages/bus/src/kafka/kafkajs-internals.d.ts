declare module 'kafkajs/src/network/requestQueue/index.js' {
  interface SentRequest {
    readonly requestTimeout: number;
    timeoutRequest(): void;
  }
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
    readonly inflight: ReadonlyMap<number, SentRequest>;
    readonly maxInFlightRequests: number | null;
    /** Time of `performance.now()` until which a broker wants no requests. */
    throttledUntil: number;
    requestTimeoutIntervalId?: NodeJS.Timeout;
    readonly pending: unknown[];
    throttleCheckTimeoutId: NodeJS.Timeout | null;
    push(request: object): void;
    checkPendingRequests(): void;
    scheduleCheckPendingRequests(): void;
    canSendSocketRequestImmediately(): boolean;
    maybeThrottle(ms: number | null): void;
    sendSocketRequest(request: SentRequest): void;
    scheduleRequestTimeoutCheck(): void;
    /** Ends the check for requests that exceed their timeout. */
    destroy(): void;
  }
}

declare module 'kafkajs/src/consumer/consumerGroup.js' {
  /** A member of a consumer group; only the members that this package uses. */
  export default class ConsumerGroup {
    constructor(options: object);
    /** When the last heartbeat was sent, by the wall clock. */
    lastRequest: number;
    heartbeat(options: { interval: number }): Promise<void>;
  }
}

declare module 'kafkajs/src/network/requestQueue/index.js' {
  /** The requests of one connection to a broker, as far as we know of it. */
  export default class RequestQueue {
    constructor(options: {
      maxInFlightRequests: number;
      requestTimeout: number;
      enforceRequestTimeout: boolean;
      clientId: string;
      broker: string;
      logger: { debug(): void; warn(): void };
    });
    readonly pending: unknown[];
    readonly throttleCheckTimeoutId: NodeJS.Timeout | null;
    push(request: object): void;
    checkPendingRequests(): void;
    scheduleCheckPendingRequests(): void;
  }
}

/** Base class of the errors of calls. An aborted call throws the reason of your signal instead. */
export class TransportOrdersError extends Error {
  override readonly name: string = 'TransportOrdersError';
}

/** The client's options or the arguments of the call are wrong. Nothing was sent. */
export class NotSentError extends TransportOrdersError {
  override readonly name: string = 'NotSentError';
}

/** No complete response was received: the connection failed or ended early. */
export class ConnectionFailedError extends TransportOrdersError {
  override readonly name: string = 'ConnectionFailedError';
}

/** The attempt or the call exceeded its time; the server may have executed the request. */
export class TimedOutError extends TransportOrdersError {
  override readonly name: string = 'TimedOutError';
}

/** Class of a failed request, as attempts record it. `proxy`: the operator's proxy failed. */
export type EgressFault =
  | 'egress_refused'
  | 'dns'
  | 'proxy'
  | 'connect_timeout'
  | 'connection_refused'
  | 'connection_failed'
  | 'tls'
  | 'connection_lost'
  | 'protocol'
  | 'timeout'
  | 'aborted';

/** A request without a usable response. Message and cause are for the log, never for partners. */
export class EgressError extends Error {
  readonly fault: EgressFault;

  constructor(fault: EgressFault, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'EgressError';
    this.fault = fault;
  }
}

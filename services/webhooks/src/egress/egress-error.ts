/** What can go wrong between us and a receiver, as attempts record it; `proxy`: at our own. */
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

/** A request that got no answer: its class, and the private cause for the log. */
export class EgressError extends Error {
  readonly fault: EgressFault;

  constructor(fault: EgressFault, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'EgressError';
    this.fault = fault;
  }
}

import type { EgressFault } from './egress-error.ts';

/**
 * Why there was no response, as partners read it. `unreachable` means a rejected address, an
 * unknown name or a failed connection: a partner must not learn which internal names exist
 * (decision 62). `not_sent`: the service could not send the request; the receiver is not the
 * reason.
 */
export type PublicReason =
  | 'unreachable'
  | 'tls'
  | 'timeout'
  | 'connection_lost'
  | 'protocol'
  | 'not_sent';

const reasons: Readonly<Record<EgressFault | 'unsigned', PublicReason>> = {
  egress_refused: 'unreachable',
  dns: 'unreachable',
  // a proxy may reject internal addresses by its own rules
  proxy: 'unreachable',
  connect_timeout: 'unreachable',
  connection_refused: 'unreachable',
  connection_failed: 'unreachable',
  tls: 'tls',
  timeout: 'timeout',
  connection_lost: 'connection_lost',
  protocol: 'protocol',
  aborted: 'not_sent',
  unsigned: 'not_sent',
};

/**
 * Returns the public reason of an attempt's error; `lost`, `duplicate` and '' are returned unchanged.
 */
export const publicReason = (error: string): string =>
  Object.hasOwn(reasons, error) ? publicFault(error as EgressFault) : error;

export const publicFault = (fault: EgressFault): PublicReason => reasons[fault];

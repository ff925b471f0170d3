import { clientAddress, isTrustedProxy } from '@pto/access';
import type { ConnectionLimit } from '@pto/lifecycle';
import type { GatewaySettings } from '../config.ts';

type Limits = Pick<GatewaySettings, 'connectionsMax' | 'connectionsPerAddress' | 'trustedProxies'>;

/**
 * Returns the limit of partners' connections. One address (IPv6: one /64) is limited only while more
 * than half of `connectionsMax` are open: many partners can share one address. Trusted proxies are
 * exempt from the limit of an address, because each of them forwards the requests of many clients.
 */
export const partnerConnections = ({
  connectionsMax,
  connectionsPerAddress,
  trustedProxies,
}: Limits): ConnectionLimit => ({
  connectionsMax,
  addressOf: ({ remoteAddress }) =>
    isTrustedProxy(remoteAddress, trustedProxies)
      ? undefined
      : clientAddress(remoteAddress, undefined, trustedProxies),
  mayOpen: ({ own, total }) => own <= connectionsPerAddress || total <= connectionsMax / 2,
});

import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { clientAddress, isTrustedProxy } from '@pto/access';
import { Counter, type Telemetry } from '@pto/telemetry';
import type { GatewaySettings } from '../config.ts';

type Limits = Pick<GatewaySettings, 'connectionsMax' | 'connectionsPerAddress' | 'trustedProxies'>;

/**
 * Closes each connection beyond the limits as soon as it is accepted, without a response. One
 * address (IPv6: one /64) is limited only while more than half of `connectionsMax` are open: many
 * partners can share one address. Trusted proxies are exempt from the limit of an address, because
 * each of them forwards the requests of many clients.
 */
export const limitPartners = (
  server: Server,
  { connectionsMax, connectionsPerAddress, trustedProxies }: Limits,
  telemetry: Telemetry,
): void => {
  const rejected = new Counter({
    name: 'gateway_connections_rejected_total',
    help: 'Connections closed when they were accepted, by the limit that was reached: replica or address',
    labelNames: ['bound'],
    registers: [telemetry.metrics],
  });
  // both series exist from the start: else the first rejection would not count as an increase
  for (const bound of ['replica', 'address']) rejected.inc({ bound }, 0);
  const open = new Map<string, number>();
  const count = (address: string, change: 1 | -1): number => {
    const now = (open.get(address) ?? 0) + change;
    if (now === 0) open.delete(address);
    else open.set(address, now);
    return now;
  };

  let total = 0;
  server.maxConnections = connectionsMax;
  server.on('drop', () => rejected.inc({ bound: 'replica' }));
  server.on('connection', (socket: Socket) => {
    total++;
    socket.once('close', () => total--);
    const { remoteAddress } = socket;
    if (isTrustedProxy(remoteAddress, trustedProxies)) return;
    const address = clientAddress(remoteAddress, undefined, trustedProxies);
    socket.once('close', () => count(address, -1));
    if (count(address, 1) <= connectionsPerAddress || total <= connectionsMax / 2) return;
    rejected.inc({ bound: 'address' });
    socket.destroy();
  });
};

import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { Counter, type Telemetry } from '@pto/telemetry';

/** The open connections when one more was accepted, this one included. */
interface Open {
  /** Of the connection's address. */
  readonly own: number;
  readonly total: number;
  /** Number of addresses. */
  readonly addresses: number;
}

/** Which connections a server keeps. */
export interface ConnectionLimit {
  /** The process closes each connection beyond these. */
  readonly connectionsMax: number;
  /** Names the client of a connection; undefined: it forwards those of many, and only they count. */
  readonly addressOf: (socket: Socket) => string | undefined;
  /** Whether the address may have one more connection. */
  readonly mayOpen: (open: Open) => boolean;
}

/** Part of a limit that is added for addresses that have less than their share. */
const reservedPart = 0.1;

/**
 * Returns the limit of pages for people. Up to `connectionsMax` every address gets as many as it opens,
 * because a hospital's or an ingress controller's browsers have one address. Beyond it, a tenth more are
 * for addresses with at most their equal share of it, so that one address with all connections does
 * not keep others out.
 */
export const equalShares = (
  connectionsMax: number,
  addressOf: (socket: Socket) => string,
): ConnectionLimit => ({
  connectionsMax: connectionsMax + Math.ceil(connectionsMax * reservedPart),
  addressOf,
  mayOpen: ({ own, total, addresses }) =>
    total <= connectionsMax || own * addresses <= connectionsMax,
});

/**
 * Returns the function that limits a server's open connections: it closes each beyond the limit as
 * soon as it is accepted, without a response. No other connection is closed.
 * @param process the first word of the metric `PROCESS_connections_rejected_total`.
 */
export const limitConnections =
  (
    process: 'console' | 'gateway' | 'operators',
    { connectionsMax, addressOf, mayOpen }: ConnectionLimit,
    { metrics }: Pick<Telemetry, 'metrics'>,
  ) =>
  (server: Server): void => {
    const rejected = new Counter({
      name: `${process}_connections_rejected_total`,
      help: 'Connections closed when they were accepted, by the limit that was reached: replica or address',
      labelNames: ['bound'],
      registers: [metrics],
    });
    // both series exist from the start: else the first rejection would not count as an increase
    for (const bound of ['replica', 'address']) rejected.inc({ bound }, 0);
    const open = new Map<string, number>();
    let total = 0;
    const change = (address: string | undefined, by: 1 | -1): number => {
      total += by;
      if (address === undefined) return 0;
      const now = (open.get(address) ?? 0) + by;
      if (now === 0) open.delete(address);
      else open.set(address, now);
      return now;
    };
    server.maxConnections = connectionsMax;
    server.on('drop', () => rejected.inc({ bound: 'replica' }));
    server.on('connection', (socket: Socket) => {
      const address = addressOf(socket);
      const own = change(address, 1);
      socket.once('close', () => change(address, -1));
      if (address === undefined || mayOpen({ own, total, addresses: open.size })) return;
      rejected.inc({ bound: 'address' });
      socket.destroy();
    });
  };

import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { Counter, type Telemetry } from '@pto/telemetry';

/** Connections beyond the limit, as a part of it, for addresses that have less than their share. */
const reservedPart = 0.1;

/**
 * Returns the limit of a server's open connections. Up to the limit every address gets as many as it
 * opens, because a hospital's or an ingress controller's browsers have one address. Beyond it, a
 * tenth more are for addresses with at most their equal share of the limit, so that one address with
 * all connections does not keep others out. No open connection is closed.
 * @param process the first word of the metric `PROCESS_connections_rejected_total`.
 * @param addressOf names the client of a connection.
 */
export const limitConnections =
  (
    process: 'console' | 'operators',
    connectionsMax: number,
    addressOf: (socket: Socket) => string,
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
    const change = (address: string, by: 1 | -1): number => {
      total += by;
      const now = (open.get(address) ?? 0) + by;
      if (now === 0) open.delete(address);
      else open.set(address, now);
      return now;
    };
    server.maxConnections = connectionsMax + Math.ceil(connectionsMax * reservedPart);
    server.on('drop', () => rejected.inc({ bound: 'replica' }));
    server.on('connection', (socket: Socket) => {
      const address = addressOf(socket);
      const own = change(address, 1);
      socket.once('close', () => change(address, -1));
      if (total <= connectionsMax || own * open.size <= connectionsMax) return;
      rejected.inc({ bound: 'address' });
      socket.destroy();
    });
  };

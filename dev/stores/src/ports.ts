import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { createServer, type Server } from 'node:net';

/**
 * Range of the ports. It is below the ranges from which Linux (32768 and up) and macOS (49152 and
 * up) take ports for outgoing connections. A restarted service therefore finds its port free, even
 * if many connections are opened meanwhile.
 */
const [lowest, highest] = [15_000, 30_000];
const triesMost = 1000;

/**
 * Returns different loopback ports that are free now. While this process lives, no process of this
 * project gets the same ports by this function, because the process that will listen on a port
 * takes time to start.
 */
export const freePorts = async (count: number): Promise<number[]> => {
  const held = new Map<number, Server>();
  try {
    for (let tries = 0; held.size < count; tries += 1) {
      if (tries > triesMost) throw new Error(`no free port between ${lowest} and ${highest}`);
      const port = randomInt(lowest, highest);
      const server = (await reservePort(port)) ? await listen(port) : undefined;
      if (server) held.set(port, server);
    }
  } finally {
    const closing = [...held.values()].map((s) => new Promise((resolve) => s.close(resolve)));
    await Promise.all(closing);
  }
  return [...held.keys()];
};

/**
 * Reserves a port for this process by binding it in UDP, which no process of this project uses
 * otherwise.
 * @returns false if the port is reserved already.
 */
export const reservePort = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = createSocket('udp4')
      .once('error', () => {
        socket.close();
        resolve(false);
      })
      .bind({ port, address: '127.0.0.1', exclusive: true }, () => {
        socket.unref();
        resolve(true);
      });
  });

/** Whether a process could listen on the port now. */
export const isPortFree = async (port: number): Promise<boolean> => {
  const server = await listen(port);
  await new Promise((resolve) => (server ? server.close(resolve) : resolve(undefined)));
  return server !== undefined;
};

const listen = (port: number): Promise<Server | undefined> =>
  new Promise((resolve) => {
    const server = createServer()
      .once('error', () => resolve(undefined))
      .listen(port, '127.0.0.1', () => resolve(server));
  });

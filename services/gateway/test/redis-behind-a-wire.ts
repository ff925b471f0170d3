import { connect, createServer, type Socket } from 'node:net';
import { listening } from '@pto/lifecycle';

/** A wire to the real Redis that a test can cut, clog and restore. */
export const redisBehindAWire = async (redisUrl: string) => {
  let far = new URL(redisUrl);
  let state: 'whole' | 'cut' | 'clogged' = 'whole';
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    if (state === 'cut') {
      near.destroy();
      return;
    }
    const end = connect(Number(far.port), far.hostname);
    for (const [from, to] of [
      [near, end],
      [end, near],
    ] as const) {
      sockets.add(from);
      from.on('data', (bytes) => {
        if (state === 'whole') to.write(bytes);
      });
      from
        .on('error', () => {})
        .on('close', () => {
          sockets.delete(from);
          to.destroy();
        });
    }
  });
  const own = await listening(server as never, 0, '127.0.0.1');
  const dropAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: `redis://127.0.0.1:${own}`,
    /** Leads new connections to another Redis: a name points to the new master. */
    point: (url: string) => {
      far = new URL(url);
    },
    /** Leads to another Redis from now on: it was started again, and is empty. */
    aim: (url: string) => {
      far = new URL(url);
      dropAll();
    },
    /** Refuses and drops: Redis was killed. */
    cut: () => {
      state = 'cut';
      dropAll();
    },
    /** Takes everything and says nothing: Redis hangs. */
    clog: () => {
      state = 'clogged';
    },
    restore: () => {
      state = 'whole';
      dropAll();
    },
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        dropAll();
      }),
  };
};

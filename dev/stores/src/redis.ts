import { connect } from 'node:net';
import { join } from 'node:path';
import type { Guards } from './guards.ts';
import { makePrivateFolder } from './log-file.ts';
import { freePorts } from './ports.ts';
import { type RunningStore, startStore } from './store.ts';

const responseTimeoutMs = 500;

/** Text in the command line of a folder's Redis, by which leftover processes are found. */
export const redisMark = (dir: string): string => `--dir ${join(dir, 'redis')}`;

/**
 * Starts Redis on a free loopback port. Redis writes nothing to disk, because it stores only rate
 * limit budgets.
 */
export const startRedis = async (
  dir: string,
  guards: Guards,
  command: string,
): Promise<RunningStore & { url: string }> => {
  makePrivateFolder(join(dir, 'redis'));
  const [port = 0] = await freePorts(1);
  const settings = {
    port: `${port}`,
    bind: '127.0.0.1',
    save: '',
    appendonly: 'no',
    daemonize: 'no',
    // Redis must not change its command line: the next start finds the process by it
    'set-proc-title': 'no',
    dir: join(dir, 'redis'),
  };
  const store = await startStore(
    guards,
    'redis',
    {
      command,
      args: Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]),
      signal: 'TERM',
      graceS: 10,
    },
    () => isReachable(port),
  );
  return { ...store, url: `redis://127.0.0.1:${port}` };
};

const isReachable = (port: number): Promise<boolean> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write('PING\r\n'));
    socket
      .once('data', (bytes) => {
        socket.destroy();
        resolve(`${bytes}`.startsWith('+PONG'));
      })
      .once('error', reject)
      .setTimeout(responseTimeoutMs, () => socket.destroy(new Error('silent')));
  });

import { connect } from 'node:net';
import { createGuards, fetchWithMaven, freePorts } from '@pto/stores';
import { until } from '@pto/testing';
import { signalProcess } from '../../../e2e/kill.ts';
import type { Bed } from '../drill.ts';

/** Starts a Redis that stores nothing on its disk. */
export const openRedis = async (bed: Bed, name: string, ...settings: readonly string[]) => {
  const guards = createGuards(bed.folder);
  bed.atEnd(guards.stopAll);
  const files = await fetchWithMaven(guards, bed.note);
  const command = (typeof files !== 'string' && files.redisServer) || 'redis-server';
  const [port = 0] = await freePorts(1);
  /** Sends commands, one a line. @returns all responses. */
  const ask = (lines: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1', () => socket.write(`${lines}\r\nQUIT\r\n`));
      let text = '';
      socket.on('data', (bytes) => {
        text += bytes;
      });
      socket.once('close', () => resolve(text)).once('error', reject);
    });
  let pid = 0;
  const start = async (...more: readonly string[]): Promise<void> => {
    const none = ['--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
    const args = ['--port', `${port}`, '--dir', bed.folder, ...none, ...more];
    ({ pid } = await guards.run(name, { command, args, signal: 'TERM', graceS: 5 }));
    await until(() => ask('PING'), { what: name });
  };
  await start(...settings);
  return {
    port,
    ask,
    /** Starts it empty, with these settings alone. */
    start,
    kill: (): void => {
      bed.note(`  kill -KILL of ${name}`);
      signalProcess(pid, 'SIGKILL');
    },
  };
};

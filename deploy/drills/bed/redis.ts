import { connect } from 'node:net';
import { createGuards, fetchWithMaven, freePorts } from '@pto/stores';
import { until } from '@pto/testing';
import type { Bed } from '../drill.ts';

/** Starts a Redis that stores nothing on its disk and asks for a password. */
export const openRedis = async (bed: Bed, password: string) => {
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
  const settings = ['--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
  const args = ['--port', `${port}`, '--dir', bed.folder, ...settings, '--requirepass', password];
  await guards.run('redis', { command, args, signal: 'TERM', graceS: 5 });
  await until(() => ask('PING'), { what: 'Redis' });
  return { port, ask };
};

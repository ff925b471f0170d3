import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { TestBusSettings } from './open-test-bus.ts';

export interface SeenMessage {
  readonly id: string;
  readonly key: string;
  readonly value: Uint8Array;
}

/** A member of the group in a process of its own, to be killed without a chance to say goodbye. */
export const startMember = async (settings: TestBusSettings, group: string, topic: string) => {
  const seen: SeenMessage[] = [];
  const program = new URL('member-program.ts', import.meta.url).pathname;
  const child = spawn(process.execPath, [program], {
    env: { ...process.env, NODE_OPTIONS: '', MEMBER: JSON.stringify({ settings, group, topic }) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  child.once('exit', () => end());
  const { promise: ready, resolve: start } = Promise.withResolvers<void>();
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (line === 'ready') return start();
    const { id, key, value } = JSON.parse(line);
    seen.push({ id, key, value: Buffer.from(value) });
  });
  await Promise.race([ready, ended]);
  return {
    seen,
    kill: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
};

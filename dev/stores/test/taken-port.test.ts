import { createServer } from 'node:net';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { createGuards } from '../src/guards.ts';
import { freePorts } from '../src/ports.ts';
import { AddressInUse, startStore, withOtherPorts } from '../src/store.ts';
import { privateFolder } from './run-program.ts';

let folder: ReturnType<typeof privateFolder>;
beforeEach(() => {
  folder = privateFolder();
});
afterEach(() => folder.remove());

const listener = (port: number) =>
  `require('net').createServer().listen(${port}, '127.0.0.1', () => console.log('listening'))`;

test('a store whose port was taken in the last moment is started once more, with another port', async () => {
  const ports = await freePorts(2);
  const thief = createServer().listen(ports[0], '127.0.0.1');
  const guards = createGuards(folder.dir);
  let tries = 0;
  const start = () => {
    const port = ports[tries]!;
    tries += 1;
    const args = ['-e', listener(port)];
    return startStore(
      guards,
      'store',
      { command: process.execPath, args, signal: 'TERM', graceS: 5 },
      async ({ output }) => output().includes('listening'),
    );
  };
  try {
    await withOtherPorts(start);
    expect(tries).toBe(2);
    tries = 0;
    await expect(start()).rejects.toThrow(AddressInUse);
  } finally {
    thief.close();
    await guards.stopAll();
  }
});

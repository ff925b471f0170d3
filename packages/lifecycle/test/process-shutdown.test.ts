import { type ChildProcess, spawn } from 'node:child_process';
import { afterEach, expect, test } from '@jest/globals';
import { freePort, until } from '@pto/testing';

const program = new URL('./a-service.ts', import.meta.url).pathname;
let child: ChildProcess;
afterEach(() => {
  child.kill('SIGKILL');
});

const start = (environment: Record<string, string>) => {
  let output = '';
  const { NODE_OPTIONS, ...rest } = process.env;
  child = spawn(process.execPath, [program], {
    env: { ...rest, BIND_HOST: '127.0.0.1', ...environment },
  });
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (part) => {
      output += part;
    });
  const code = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const lines = () =>
    output
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  return { code, lines };
};

test('bad configuration: the setting, the reason, and 78', async () => {
  const { code, lines } = start({ LIMIT: '0' });
  expect(await code).toBe(78);
  expect(lines().at(-1)).toMatchObject({ level: 'fatal', msg: expect.stringContaining('LIMIT') });
});

test('what a library prints to the console is a scrubbed line of the log', async () => {
  const { code, lines } = start({ LIMIT: '13', ADMIN_PORT: `${await freePort()}` });
  await code;
  const printed = lines().filter((line) => line.msg === 'a library printed to the console');
  expect(printed).toHaveLength(1);
  expect(printed[0].printed).toMatch(/^printed by a library Error: with whsec_\*\*\*/);
});

test('a service that cannot start says why and ends with 1', async () => {
  const { code, lines } = start({ LIMIT: '13', ADMIN_PORT: `${await freePort()}` });
  expect(await code).toBe(1);
  expect(lines().at(-1)).toMatchObject({
    level: 'fatal',
    msg: 'fatal: the store is unavailable',
  });
});

test('a service whose consumer has crashed ends with 1', async () => {
  const { code, lines } = start({ LIMIT: '99', ADMIN_PORT: `${await freePort()}` });
  expect(await code).toBe(1);
  expect(lines().at(-1)?.msg).toBe('fatal: consumer crashed');
});

test('SIGTERM: readiness off, then what is in flight, then 0', async () => {
  const port = await freePort();
  const { code, lines } = start({ LIMIT: '1', ADMIN_PORT: `${port}` });
  const get = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).status;
  await until(async () => (await get('/readyz')) === 200, { what: 'readiness' });
  expect(await get('/livez')).toBe(200);
  expect(await get('/metrics')).toBe(200);
  child.kill('SIGTERM');
  await until(async () => (await get('/readyz')) === 503, { what: 'readiness to go' });
  expect(await code).toBe(0);
  expect(lines().map((line) => line.msg)).toContain('finishing what is in flight');
});

test('readiness follows the checks, and liveness does not', async () => {
  const port = await freePort();
  start({ LIMIT: '7', ADMIN_PORT: `${port}` });
  const answer = await until(() => fetch(`http://127.0.0.1:${port}/readyz`), { what: 'an answer' });
  expect([answer.status, await answer.text()]).toEqual([503, 'store: away\n']);
  expect((await fetch(`http://127.0.0.1:${port}/livez`)).status).toBe(200);
});

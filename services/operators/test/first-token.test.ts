import { execFile, spawnSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { AuditService, OperatorService } from '@pto/proto/operators/v1/operators';
import { type OperatorsUnderTest, query, startOperatorsService } from './operators-service.ts';

const program = new URL('../src/first-token.ts', import.meta.url).pathname;

let under: OperatorsUnderTest;
beforeAll(async () => {
  under = await startOperatorsService();
});
afterAll(() => under.stop());

const run = (words: readonly string[] = [], url = under.database.ownerUrl) => {
  const { NODE_OPTIONS, ...inherited } = process.env;
  const env = { ...inherited, MIGRATION_DATABASE_URL: url };
  return new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    execFile(process.execPath, [program, ...words], { env }, (error, stdout, stderr) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr }),
    );
  });
};
const whoAmI = (token: string) => under.client(OperatorService, 'operators', token).whoAmI({});

test('of two at once one prints a token of an administrator, and the other refuses', async () => {
  const both = await Promise.all([run(), run()]);
  expect(both.map(({ code }) => code).sort()).toEqual([0, 1]);
  const issued = both.find(({ code }) => code === 0)!;
  expect(await whoAmI(issued.stdout.trim())).toMatchObject({
    name: 'first administrator',
    roles: ['admin'],
  });
  expect(both.find(({ code }) => code === 1)).toMatchObject({
    stdout: '',
    stderr: expect.stringContaining('add --another'),
  });
});

test('--another issues a further one, and the log has a row for each', async () => {
  const words = ['--another', '--json', '--name', 'auditor', '--role', 'auditor'];
  const { stdout } = await run(words);
  const issued = JSON.parse(stdout);
  expect(issued).toMatchObject({ name: 'auditor', roles: ['auditor'] });
  const audit = under.client(AuditService, 'operators', issued.token);
  const { actions } = await audit.listActions({ action: 'first-token' });
  expect(actions).toMatchObject([
    {
      operatorName: 'owner of the database',
      credential: 'owner',
      target: 'auditor',
      outcome: 'ok',
    },
    { target: 'first administrator' },
  ]);
});

test('a revoked token does not count as valid', async () => {
  await query(under.database.ownerUrl, 'update operator_tokens set revoked_at = now()');
  expect((await run()).code).toBe(0);
});

test('a token that cannot be printed is revoked', async () => {
  await query(under.database.ownerUrl, 'update operator_tokens set revoked_at = now()');
  const full = openSync('/dev/full', 'w');
  const { NODE_OPTIONS, ...inherited } = process.env;
  const { status, stderr } = spawnSync(process.execPath, [program], {
    env: { ...inherited, MIGRATION_DATABASE_URL: under.database.ownerUrl },
    stdio: ['ignore', full, 'pipe'],
    encoding: 'utf8',
  });
  closeSync(full);
  expect([status, stderr]).toEqual([1, expect.stringMatching(/was revoked: ENOSPC.*\n$/)]);
  expect((await run()).code).toBe(0);
});

test('wrong usage is 2, and the role of a service cannot issue a token', async () => {
  expect((await run(['--nonsense'])).code).toBe(2);
  expect((await run([], '')).code).toBe(2);
  expect((await run(['--another'], under.database.serviceUrl)).code).toBe(1);
});

import { type SpawnSyncReturns, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Failure } from '@pto/errors';
import { AccessService } from '@pto/proto/access/v1/access';
import { OperatorService } from '@pto/proto/operators/v1/operators';
import { DeliveryService } from '@pto/proto/webhooks/v1/webhooks';
import { type Handlers, implement } from '@pto/rpc';
import { environmentOf, type FakeGateway, program, startGateway } from '../operator-command.ts';

const keyId = '01900000-0000-7000-8000-00000000000a';
const oldId = '01900000-0000-7000-8000-00000000000b';
const secret = 'svc_test_shown-once';

let revoked: string[] = [];
let canRevoke = true;
let gateway: FakeGateway;
const revoke = async ({ id }: { id: string }) => {
  if (!canRevoke) throw new Failure('SERVICE_UNAVAILABLE', 'The database does not answer.');
  revoked.push(id);
  return {};
};

beforeAll(async () => {
  const access = {
    issueKey: async () => ({ secret, key: { id: keyId } }),
    rotateKey: async () => ({
      secret,
      key: { id: keyId },
      replaced: { id: oldId, expiresAt: '2026-11-27T00:00:00.000Z' },
    }),
    revokeKey: revoke,
    listOrganizations: async () => ({
      organizations: Array.from({ length: 5000 }, (_, n) => ({ id: keyId, name: `Clinic ${n}` })),
      nextId: '',
    }),
  } as unknown as Handlers<typeof AccessService>;
  const operators = {
    issueToken: async () => ({ secret: 'opt_shown-once', token: { id: keyId, roles: ['admin'] } }),
    revokeToken: revoke,
  } as unknown as Handlers<typeof OperatorService>;
  const deliveries = {
    rotateEndpointSecret: async () => ({ secret: 'whsec_shown-once' }),
  } as unknown as Handlers<typeof DeliveryService>;
  gateway = await startGateway({
    access: [implement(AccessService, access)],
    operators: [implement(OperatorService, operators)],
    webhooks: [implement(DeliveryService, deliveries)],
  });
});
afterAll(() => gateway.stop());
beforeEach(() => {
  revoked = [];
  canRevoke = true;
});

type Ended = Pick<SpawnSyncReturns<string>, 'status' | 'stdout' | 'stderr'>;

const ended = (command: string, words: readonly string[], stdout: 'pipe' | number) =>
  new Promise<Ended>((resolve) => {
    const child = spawn(command, words, {
      env: environmentOf(gateway),
      stdio: ['ignore', stdout, 'pipe'],
    });
    const texts = { stdout: '', stderr: '' };
    child.stdout?.on('data', (chunk) => {
      texts.stdout += chunk;
    });
    child.stderr?.on('data', (chunk) => {
      texts.stderr += chunk;
    });
    child.on('close', (status) => resolve({ status, ...texts }));
  });

const toFullDisk = async (...words: string[]): Promise<Ended> => {
  const full = openSync('/dev/full', 'w');
  try {
    return await ended(process.execPath, [program, ...words], full);
  } finally {
    closeSync(full);
  }
};

const issue = ['key', 'issue', '--org', keyId, '--scopes', 'orders:read'];

describe('a secret that cannot be printed is revoked', () => {
  const tokens = ['token', 'issue', '--name', 'n', '--role', 'admin', '--expires-in', '8h'];
  test.each([
    ['key issue', issue, `The key ${keyId} was revoked. Issue another key.`],
    ['key issue --json', [...issue, '--json'], `The key ${keyId} was revoked.`],
    [
      'key rotate',
      ['key', 'rotate', oldId],
      `Key ${oldId} ends at 2026-11-27T00:00:00.000Z: issue another key before.`,
    ],
    ['token issue', tokens, `The token ${keyId} was revoked. Issue another token.`],
  ])('%s', async (_, words, says) => {
    const { status, stderr } = await toFullDisk(...words);
    expect([status, revoked]).toEqual([1, [keyId]]);
    expect(stderr).toContain('ENOSPC');
    expect(stderr).toContain(says);
    expect(stderr).not.toContain('shown-once');
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });

  test('or the message says that it is valid', async () => {
    canRevoke = false;
    const { status, stderr } = await toFullDisk(...issue);
    expect([status, revoked]).toEqual([1, []]);
    expect(stderr).toContain(`The key ${keyId} is valid and was not revoked`);
  });
});

test('a secret that cannot be printed or revoked is named, and not shown', async () => {
  const { status, stderr } = await toFullDisk('endpoint', 'rotate', keyId);
  expect(status).toBe(1);
  expect(stderr).toContain(
    `The new secret of endpoint ${keyId} is valid, and nobody has it. Rotate it again.`,
  );
  expect(stderr).not.toContain('shown-once');
});

test('a secret that can be printed is not revoked', async () => {
  const { status, stdout } = await ended(process.execPath, [program, ...issue], 'pipe');
  expect([status, revoked]).toEqual([0, []]);
  expect(stdout).toContain(secret);
});

test('a table that cannot be printed is exit code 1 with the reason', async () => {
  const { status, stderr } = await toFullDisk('org', 'list');
  expect([status, stderr]).toEqual([
    1,
    'The output cannot be written: ENOSPC: no space left on device, write.\n',
  ]);
});

test('a reader that closes the pipe ends the command in silence', async () => {
  const script = 'exec 3>&1; { "$@"; echo "code $?" >&3; } | head -c 1';
  const words = [process.execPath, program, 'org', 'list', '--json'];
  const { stdout, stderr } = await ended('bash', ['-c', script, 'bash', ...words], 'pipe');
  expect([stdout, stderr]).toEqual(['[code 141\n', '']);
});

import assert from 'node:assert/strict';
import { until } from '@pto/testing';
import { partner } from '../../../../e2e/partner.ts';
import { whileScaledToNone } from '../../stage/local-stack.ts';
import type { Scene } from './scene.ts';

/** `access` goes back: a revoked key works again until the operator revokes it again. */
export const restoreAccessEarlier = async (scene: Scene): Promise<void> => {
  const { stage, stack, servers, operator, moreClosed } = scene;
  const org = stack.file().organizations[0]!.id;
  const issue = async (name: string): Promise<{ id: string; key: string }> =>
    (await operator('key', 'issue', '--org', org, '--scopes', 'orders:read', '--name', name)).json;
  const status = async (key: string) => (await partner(stack, key).get('/ping')).status;
  const becomes = (key: string, wanted: number) =>
    until(async () => (await status(key)) === wanted, { what: `${wanted} for the key` });

  const revoked = await issue('revoked in the lost time');
  const time = await servers.access.now();
  const issued = await issue('issued in the lost time');
  assert.equal((await operator('key', 'revoke', revoked.id)).code, 0);
  await becomes(revoked.key, 401);
  await becomes(issued.key, 200);
  await moreClosed(3);
  await servers.access.kill();
  await whileScaledToNone(stage, stack, ['gateway', 'operators'], () =>
    servers.access.restore({ time }),
  );
  await becomes(revoked.key, 200);
  await becomes(issued.key, 401);
  stage.note('  the operator compares the keys with his records, and revokes again');
  assert.equal((await operator('key', 'revoke', revoked.id)).code, 0);
  await becomes(revoked.key, 401);
  await moreClosed(3);
  assert.equal((await operator('ledger', 'verify')).json.valid, true);
};

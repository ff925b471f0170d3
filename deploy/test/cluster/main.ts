/**
 * The release on a real cluster, `node deploy/test/cluster/main.ts`: kubectl and helm act on the current
 * context, whose nodes have the images localhost/partner-api/*:dev, the same as :next, and the
 * stores'. Ends with 1 at the first promise that does not hold.
 */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '@pto/testing';
import { scopes } from '../../../local/src/operators/organizations.ts';
import { callersInCluster } from './callers.ts';
import { cluster } from './cluster.ts';
import { conformance } from './conformance.ts';
import { rotateLogKey } from './log-keys.ts';
import { renewCertificate } from './renewal.ts';

const readyWithinMs = 180_000;
const settleWithinMs = 60_000;
const kills = 12;
const killEveryMs = 5000;
const say = (line: string) => void process.stdout.write(`${line}\n`);

const on = cluster('partner-api-test');
const promise = async (what: string, keep: () => Promise<string>): Promise<void> => {
  const begun = Date.now();
  const detail = await keep();
  say(`✓ ${what} (${Math.round((Date.now() - begun) / 1000)} s): ${detail}`);
};

await on.remove();
await on.create();
try {
  await promise('stores and release are ready in under three minutes', async () => {
    const begun = Date.now();
    await on.installStores();
    await on.install();
    const took = Date.now() - begun;
    assert(took < readyWithinMs, `${took} ms`);
    return `${(await on.pods()).length} pods`;
  });

  await promise('a first token is issued once, and shown to who asked for it alone', async () => {
    await on.issueFirstToken();
    const { name } = await on.operator('whoami');
    const logs = await on.kubectl(
      'logs',
      '-l',
      'app.kubernetes.io/part-of=partner-api',
      '--tail=-1',
    );
    assert(!logs.includes('opt_'));
    return name;
  });
  await promise('a process may call what the table of callers lists', () => callersInCluster(on));

  const { id: organization } = await on.operator('org', 'create', '--name', 'A clinic');
  const many = ['--reads', '1000000', '--writes', '1000000'];
  const issue = ['key', 'issue', '--org', organization, '--scopes', scopes.all, ...many];
  const { key: KEY } = await on.operator(...issue);
  /** All that orders were acknowledged for, and the ledger holds, is whole. */
  const wholeLedger = async (atLeast: number): Promise<string> => {
    const whole = async () => {
      const verdict = await on.operator('ledger', 'verify');
      assert(verdict.valid && verdict.orders >= atLeast, JSON.stringify(verdict));
      return verdict.orders;
    };
    const what = `a valid ledger of ${atLeast} orders`;
    return `${await until(whole, { deadlineMs: settleWithinMs, what })} orders, ledger valid`;
  };
  /** Helm is done when the new pods are ready; the old ones have time to end. */
  const gone = (pods: readonly string[]): Promise<boolean> => {
    const none = async () => (await on.pods()).every((pod) => !pods.includes(pod));
    return until(none, { deadlineMs: settleWithinMs, what: `the end of ${pods}` });
  };
  let orders = 0;

  await promise('a partner is served through the gateway’s Service', async () => {
    const load = await on.startLoad('first', { KEY, LANES: '2' });
    await sleep(5000); // as long as the load lasts
    const { requests, created, failed } = await load.stop();
    assert.deepEqual(failed, []);
    orders += created.length;
    assert(created.length > 0);
    return `${requests} requests; ${await wholeLedger(orders)}`;
  });

  if (await on.hasCertManager())
    await promise(
      'a renewed certificate is taken without a restart or a failed request',
      async () => {
        const load = await on.startLoad('renewal', { KEY });
        const seen = await renewCertificate(on);
        const { requests, created, failed } = await load.stop();
        assert.deepEqual(failed, []);
        orders += created.length;
        return `${seen}; ${requests} requests, 0 failed`;
      },
    );

  await promise('a rotation of the log’s key loses no request and no entry', async () => {
    const load = await on.startLoad('rotation', { KEY });
    const seen = await rotateLogKey(on);
    const { requests, created, failed } = await load.stop();
    assert.deepEqual(failed, []);
    orders += created.length;
    return `${seen}; ${requests} requests, 0 failed; ${await wholeLedger(orders)}`;
  });

  await promise('the API is what its contract says, through the Service', () => conformance(on));

  await promise('an upgrade to a new image loses no request', async () => {
    const before = await on.pods();
    const load = await on.startLoad('upgrade', { KEY });
    await on.upgrade('--set', 'global.image.tag=next');
    const { requests, created, failed } = await load.stop();
    assert.deepEqual(failed, []);
    orders += created.length;
    await gone(before);
    return `${requests} requests, 0 failed; ${await wholeLedger(orders)}`;
  });

  let rolledBack: string[] = [];
  await promise('a rollback loses no request', async () => {
    rolledBack = await on.pods();
    const load = await on.startLoad('rollback', { KEY });
    await on.rollback();
    const { requests, created, failed } = await load.stop();
    assert.deepEqual(failed, []);
    orders += created.length;
    return `${requests} requests, 0 failed; ${await wholeLedger(orders)}`;
  });

  await promise('a migration that fails stops the rollout; the version before serves', async () => {
    // those of the upgrade are gone by now, or their end would be seen as a change
    await gone(rolledBack);
    const before = await on.pods();
    const load = await on.startLoad('migration', { KEY });
    await assert.rejects(
      on.upgrade(
        ...['--set', 'global.image.tag=next'],
        ...['--set', 'orders.jobs.migrate.args={--eval,process.exit(1)}'],
      ),
      /orders-migrate failed|pre-upgrade hooks failed/,
    );
    const { requests, created, failed } = await load.stop();
    assert.deepEqual(failed, []);
    orders += created.length;
    assert.deepEqual((await on.pods()).sort(), before.sort());
    return `${requests} requests, 0 failed; the same ${before.length} pods`;
  });

  await promise('a pod killed every 5 s costs a repetition and no order', async () => {
    const load = await on.startLoad('kills', { KEY, RETRY: '1' });
    for (let n = 0; n < kills; n++) {
      const victims = await on.pods(['gateway', 'orders', 'custody', 'webhooks'][n % 4]);
      const [victim] = victims;
      if (victim) await on.kubectl('delete', victim, '--force', '--grace-period=0');
      await sleep(killEveryMs);
    }
    const { requests, created, failed } = await load.stop();
    assert.deepEqual(failed, []);
    assert.equal(new Set(created).size, created.length);
    orders += created.length;
    return `${kills} kills, ${requests} requests; ${await wholeLedger(orders)}`;
  });
} finally {
  if (!process.env.KEEP) await on.remove();
}

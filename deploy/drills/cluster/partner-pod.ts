import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { until } from '@pto/testing';
import { scopes } from '../../../local/src/operators/organizations.ts';
import { scriptContainer } from '../../test/cluster/script-container.ts';
import type { Cluster } from './cluster.ts';
import type { Operator } from './operator.ts';
import { type PartnerName, receiverHost } from './release.ts';

const script = readFileSync(new URL('partner-pod.js', import.meta.url), 'utf8');
const closedWithinMs = 120_000;
const endedWithinMs = 150_000;

interface Choice {
  readonly name?: PartnerName;
  /** How long it repeats a request that gets no response or 5xx; by default it repeats none. */
  readonly repeatMs?: number;
  /** Orders at once, and the pause after each. */
  readonly lanes?: number;
  readonly paceMs?: number;
  /** The cell of its organization; the first one by default. */
  readonly cell?: string;
}

/** Starts a pod that acts as a partner with an organization of its own, until `requireSound`. */
export const startPartner = async (
  on: Cluster,
  operator: Operator,
  { name = 'partner', repeatMs = 0, lanes = 2, paceMs = 150, cell }: Choice = {},
) => {
  const run = `drill-${Date.now()}`;
  const inCell = cell ? ['--cell', cell] : [];
  const { id } = await operator('org', 'create', '--name', run, ...inCell);
  const many = ['--reads', '1000000', '--writes', '1000000'];
  const { key } = await operator('key', 'issue', '--org', id, '--scopes', scopes.all, ...many);
  const remove = () => on.kubectl('delete', 'pod', name, '--ignore-not-found', '--grace-period=1');
  await remove();
  const hooks = `https://${receiverHost(name)}:8443/hooks`;
  await on.apply(
    podOf(name, {
      ...{ BASE: 'http://gateway:8080', HOOKS: hooks, KEY: key, RUN: run, LANES: `${lanes}` },
      ...{ PACE_MS: `${paceMs}`, REPEAT_MS: `${repeatMs}` },
      NODE_EXTRA_CA_CERTS: '/partner-tls/ca.crt',
    }),
  );
  on.bed.atEnd(async () => {
    // a later partner of this name may have taken its place
    await on.run('kubectl', [...on.where, 'logs', name, '--tail=5'], { codes: [0, 1] });
    await remove();
  });
  /** Its newest line. */
  const progress = async () => JSON.parse(await on.look('logs', name, '--tail=1'));
  const closed = async (): Promise<number> =>
    (await progress().catch(() => undefined))?.closed ?? 0;
  /** Waits until so many more orders have come to their end. */
  const closedIn = async (count: number): Promise<void> => {
    const wanted = (await closed()) + count;
    const what = `${count} closed orders`;
    await until(async () => (await closed()) >= wanted, { deadlineMs: closedWithinMs, what });
  };
  await closedIn(5);
  return {
    /** The id of its organization. */
    organization: id as string,
    closedIn,
    /**
     * Ends the partner's work. @throws Error if a request failed, an event is missing, the ledger is
     * not valid, a message is parked, or an event came twice to a partner that repeats nothing.
     * @returns the repeated requests.
     */
    requireSound: async (): Promise<readonly { ms: number }[]> => {
      await on.kubectl('exec', name, '--', 'node', '--eval', 'process.kill(1, "SIGTERM")');
      const end = await until(
        async () => {
          const last = await progress();
          return last.ended && last;
        },
        { deadlineMs: endedWithinMs, what: 'the end of the partner' },
      );
      on.bed.note(
        `  ${end.requests} requests, ${end.failures} failed; ${end.placed} orders placed, ${end.closed} closed, ` +
          `${end.events} events received; ${end.missing.length} missing, ${end.repeated.length} repeated`,
      );
      assert.deepEqual(end.failed, [], 'each request succeeded');
      assert.equal(end.closed, end.placed, 'each order came to its end');
      assert.deepEqual(end.missing, [], 'each event came');
      if (repeatMs === 0) assert.deepEqual(end.repeated, [], 'each event came once');
      const valid = async () => (await operator('ledger', 'verify', ...inCell)).valid;
      await until(valid, { deadlineMs: 60_000, what: 'a valid ledger' });
      assert.deepEqual(await operator('dlq', 'list', ...inCell), []);
      return end.delayed;
    },
  };
};

const podOf = (name: PartnerName, env: Readonly<Record<string, string>>) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {
    name,
    labels: {
      'partner-api/partner': 'true',
      'partner-api/receiver': 'true',
      'partner-api/name': name,
    },
  },
  spec: {
    restartPolicy: 'Never',
    automountServiceAccountToken: false,
    containers: [
      {
        ...scriptContainer('partner', script),
        env: Object.entries(env).map(([key, value]) => ({ name: key, value })),
        volumeMounts: [{ name: 'tls', mountPath: '/partner-tls', readOnly: true }],
      },
    ],
    volumes: [{ name: 'tls', secret: { secretName: 'partner-tls' } }],
  },
});

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { until } from '@pto/testing';
import { scopes } from '../../../local/src/operators/organizations.ts';
import { scriptContainer } from '../../test/cluster/script-container.ts';
import type { Stage } from '../stage/rehearsal.ts';
import type { Cluster } from './cluster.ts';
import type { Operator } from './operator.ts';
import { type PartnerName, receiverHost } from './stores.ts';

const script = readFileSync(new URL('partner-pod.js', import.meta.url), 'utf8');
const closedWithinMs = 120_000;
const endedWithinMs = 150_000;

/** What the pod prints; the last ones only when it has ended. */
interface Progress {
  readonly requests: number;
  readonly placed: number;
  readonly closed: number;
  readonly failures: number;
  readonly failed: readonly string[];
  readonly events?: number;
  readonly missing?: readonly string[];
  readonly repeated?: readonly string[];
  readonly delayed?: readonly Delayed[];
  readonly ended?: boolean;
}

/** A request that succeeded only when it was repeated. */
interface Delayed {
  /** RFC 3339; of its first try. */
  readonly at: string;
  readonly what: string;
  readonly ms: number;
}

/** Which partner it is, and where it finds the API. */
interface Entry {
  readonly name: PartnerName;
  readonly base: string;
  /** Addresses of hosts that the cluster's DNS does not have. */
  readonly hosts?: Readonly<Record<string, string>>;
  /** How long it repeats a request that gets no response or 5xx; by default it repeats none. */
  readonly repeatMs?: number;
  /** The cell of its organization; the first one by default. */
  readonly cell?: string;
  /** All cells whose ledgers are verified in the end, where the installation has several. */
  readonly cells?: readonly string[];
}

/** Its requests go to the gateway's Service. */
export const byService: Entry = { name: 'partner', base: 'http://gateway:8080' };

/** Starts a pod that acts as a partner with an organization of its own, until `requireSound`. */
export const startPartner = async (
  stage: Stage,
  on: Cluster,
  operator: Operator,
  { name, base, hosts = {}, repeatMs = 0, cell, cells }: Entry = byService,
) => {
  const run = `rehearsal-${Date.now()}`;
  const inCell = cell ? ['--cell', cell] : [];
  const { id } = await operator('org', 'create', '--name', run, ...inCell);
  const many = ['--reads', '1000000', '--writes', '1000000'];
  const { key } = await operator('key', 'issue', '--org', id, '--scopes', scopes.all, ...many);
  await on.kubectl('delete', 'pod', name, '--ignore-not-found', '--grace-period=1');
  const hooks = `https://${receiverHost(name)}:8443/hooks`;
  const env = { BASE: base, HOOKS: hooks, KEY: key, RUN: run, REPEAT_MS: `${repeatMs}` };
  await on.apply(podOf(name, hosts, env));
  stage.atEnd(async () => {
    // a later partner of this name may have taken its place
    await on.run('kubectl', [...on.where, 'logs', name, '--tail=5'], { codes: [0, 1] });
    await on.kubectl('delete', 'pod', name, '--ignore-not-found', '--grace-period=1');
  });
  /** Its newest line, or undefined before the first one. */
  const progress = async (): Promise<Progress | undefined> => {
    const line = (await on.look('logs', name, '--tail=1')).trim();
    return line.startsWith('{') ? (JSON.parse(line) as Progress) : undefined;
  };
  const closed = async () => (await progress().catch(() => undefined))?.closed ?? 0;
  return {
    run,
    /** The id of its organization. */
    organization: id as string,
    /** Waits until so many more orders have come to their end. */
    closedIn: async (count: number): Promise<void> => {
      const wanted = (await closed()) + count;
      const what = `${count} closed orders`;
      await until(async () => (await closed()) >= wanted, { deadlineMs: closedWithinMs, what });
    },
    /** So many orders at once from now on, with a pause after each. */
    changeLanes: async (lanes: number, pauseMs: number): Promise<void> => {
      const url = `http://127.0.0.1:8080/?lanes=${lanes}&pace=${pauseMs}`;
      await on.kubectl('exec', name, '--', 'node', '--eval', `fetch('${url}')`);
    },
    /** Asks its feed to wait for an event that never comes. @returns the response's status and time. */
    waitForEvents: async (wait: number): Promise<{ status: number; seconds: number }> =>
      JSON.parse(await on.kubectl('exec', name, '--', 'node', '--eval', waiting(wait))),
    /**
     * Ends the partner's work. @throws Error if a request failed, an event is missing, the ledger is
     * not valid, a message is parked, or an event came twice to a partner that repeats nothing.
     * @returns the repeated requests.
     */
    requireSound: async (): Promise<readonly Delayed[]> => {
      await on.kubectl('exec', name, '--', 'node', '--eval', 'process.kill(1, "SIGTERM")');
      const end = await until(
        async () => {
          const last = await progress();
          return last?.ended ? last : undefined;
        },
        { deadlineMs: endedWithinMs, what: 'the end of the partner' },
      );
      stage.note(
        `  ${end.requests} requests, ${end.failures} failed; ${end.placed} orders placed, ${end.closed} closed, ${end.events} events received; ${end.missing?.length} missing, ${end.repeated?.length} repeated`,
      );
      assert.deepEqual(end.failed, [], 'each request succeeded');
      assert.equal(end.closed, end.placed, 'each order came to its end');
      assert.ok(end.closed > 0, 'orders were placed');
      assert.deepEqual(end.missing, [], 'each event came');
      if (repeatMs === 0) assert.deepEqual(end.repeated, [], 'each event came once');
      for (const words of cells?.map((one) => ['--cell', one]) ?? [[]]) {
        const valid = async () => (await operator('ledger', 'verify', ...words)).valid;
        await until(valid, { deadlineMs: 60_000, what: `a valid ledger ${words.join(' ')}` });
        assert.deepEqual(await operator('dlq', 'list', ...words), []);
      }
      return end.delayed ?? [];
    },
  };
};

/** In the pod. */
const waiting = (seconds: number): string => `
  const begun = performance.now();
  const { BASE, KEY } = process.env;
  const get = (query) => fetch(BASE + '/api/partner/v1/events?' + query, {
    headers: { authorization: 'Bearer ' + KEY },
  });
  (async () => {
    const beyond = await (await get('after=${Number.MAX_SAFE_INTEGER}')).json();
    const { newest } = beyond.detail[0].ctx;
    const { status } = await get('after=' + newest + '&wait=${seconds}');
    console.log(JSON.stringify({ status, seconds: (performance.now() - begun) / 1000 }));
  })();`;

export type Partner = Awaited<ReturnType<typeof startPartner>>;

const podOf = (
  name: PartnerName,
  hosts: Readonly<Record<string, string>>,
  env: Readonly<Record<string, string>>,
) => ({
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
    hostAliases: Object.entries(hosts).map(([host, ip]) => ({ ip, hostnames: [host] })),
    containers: [
      {
        ...scriptContainer('partner', script),
        env: Object.entries({ ...env, NODE_EXTRA_CA_CERTS: '/partner-tls/ca.crt' }).map(
          ([key, value]) => ({ name: key, value }),
        ),
        volumeMounts: [{ name: 'tls', mountPath: '/partner-tls', readOnly: true }],
      },
    ],
    volumes: [{ name: 'tls', secret: { secretName: 'partner-tls' } }],
  },
});

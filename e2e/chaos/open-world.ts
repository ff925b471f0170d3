import { until } from '@pto/testing';
import type { Mesh } from '../mesh.ts';
import { partner } from '../partner.ts';
import type { Receiver } from '../receiver.ts';
import { openFailingStatements } from './faults/failing-statements.ts';
import type { Stand } from './faults/stand.ts';
import { openTap } from './faults/tap.ts';
import type { Endpoint, World } from './world.ts';

/** Registers the endpoints and reads the log's keys: the state before the first operation. */
export const openWorld = async (parts: {
  mesh: Mesh;
  stand: Stand;
  receivers: readonly Receiver[];
  runName: string;
}): Promise<World> => {
  const { mesh, stand, receivers, runName } = parts;
  const [steady, first, second, paused] = receivers;
  const endpoints: Endpoint[] = [];
  const register = async (name: string, of: readonly Receiver[]) => {
    const { status, text, body } = await partner(mesh).post('/webhooks', { url: of[0]!.url });
    if (status !== 201) throw new Error(`${name}: ${text}`);
    const fresh = { replays: 0, recovered: false, disabled: false };
    endpoints.push({ name, id: body.id, receivers: of, secrets: [body.secret], ...fresh });
  };
  await register('the steady endpoint', [steady!]);
  await register('the moving endpoint', [first!, second!]);
  await register('the paused endpoint', [paused!]);
  const logKeys = await until(
    async () => {
      const answer = await fetch(`${mesh.file().gateways[0]}/custody/keys.json`);
      return ((await answer.json()) as { keys: { vkey: string }[] }).keys;
    },
    { what: 'the keys of the log' },
  );
  const startedAt = new Date(Date.now() - 60_000).toISOString();
  const statements = await openFailingStatements(stand.postgresUrl);
  const tap = stand.brokers.length > 0 ? await openTap(stand.env) : null;
  return {
    ...{ mesh, stand, statements, tap, runName, startedAt, logKeys, endpoints },
    slots: new Map(),
    polls: [],
    walks: [],
    changes: [],
    unexpected: [],
    ledgerFaults: [],
    reasons: {},
    poisoned: new Set(),
    poller: { since: startedAt, busy: false },
  };
};

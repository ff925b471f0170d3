import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { readConfig } from '@pto/config';
import { type Database, openDatabase } from '@pto/database';
import { createTelemetry } from '@pto/telemetry';
import { until } from '@pto/testing';
import { settings } from '../src/config.ts';
import { registerKeysAsOwner } from '../src/log/keys.ts';
import { noteSigner, signersOf } from '../src/log/note-signer.ts';
import { startCustody } from '../src/service.ts';
import { startAuditorBeside } from './auditor/auditor-under-test.ts';
import {
  anOrderId,
  anOrganization,
  type CustodyUnderTest,
  eventsOf,
  startCustodyService,
} from './custody-service.ts';

const origin = 'log.test/custody';
const [first, second, foreign] = [5, 6, 7].map((n) => Buffer.alloc(32, n)) as [
  Buffer,
  Buffer,
  Buffer,
];
const vkeysOf = (...seeds: Buffer[]) => noteSigner(origin, seeds).vkeys;
const deadlineMs = 30_000;

let under: CustodyUnderTest;
let db: Database;
const replicas: { stop(): Promise<void> }[] = [];
beforeEach(async () => {
  under = await startCustodyService(); // signs with the first key
  const telemetry = createTelemetry({ service: 'test', write: () => {} });
  const limits = { poolMax: 1, statementTimeoutMs: 5000, lockTimeoutMs: 5000 };
  db = await openDatabase({ url: under.database.readerUrl, ...limits, telemetry });
});
afterEach(async () => {
  await Promise.all(replicas.splice(0).map((replica) => replica.stop()));
  await db.close();
  await under.stop();
});

/** Another replica, which signs with these keys. Only the owner can register keys. */
const startReplica = async (...seeds: Buffer[]): Promise<void> => {
  const environment = {
    ...under.environment,
    MIGRATION_DATABASE_URL: '',
    CUSTODY_SIGNING_KEYS: seeds.map((seed) => seed.toString('base64')).join(','),
  };
  const telemetry = createTelemetry({ service: 'custody', write: () => {} });
  replicas.push(await startCustody(readConfig(settings, environment).settings, telemetry));
};
const register = (...seeds: Buffer[]) =>
  registerKeysAsOwner(under.database.ownerUrl, vkeysOf(...seeds));

/** Publishes one order after the other until `stop`, each when custody has placed the last. */
const placeEntries = () => {
  const organizationId = anOrganization();
  let [placed, stopping] = [0, false];
  const run = async () => {
    while (!stopping) {
      const orderId = anOrderId();
      await under.publish(eventsOf(orderId, organizationId, 2));
      await under.custody.getProof({ orderId, organizationId, atLeastSequence: 2 });
      placed += 2;
    }
  };
  const ended = run();
  return {
    placed: () => placed,
    stop: async () => {
      stopping = true;
      await ended;
    },
  };
};

/** Number of leaves, and each checkpoint's size and signers, the smallest first. */
const log = async () => {
  const notes = await db.query<{ size: string; note: string }>(
    'select size, note from log_checkpoints order by size',
  );
  const [state] = await db.query<{ size: string }>('select size from log_state');
  const known = [first, second, foreign].map((seed) => vkeysOf(seed)[0]!);
  const signers = async (note: string) =>
    (await signersOf(note, known)).map((vkey) => known.indexOf(vkey));
  return {
    leaves: Number(state!.size),
    checkpoints: await Promise.all(
      notes.map(async ({ size, note }) => ({ size: Number(size), by: await signers(note) })),
    ),
  };
};
const signedBy = (...wanted: number[]) =>
  until(async () => `${(await log()).checkpoints.at(-1)?.by}` === `${wanted}`, {
    what: `a checkpoint by ${wanted}`,
    deadlineMs,
  });
/** Leaves are added meanwhile, and no process signs them. */
const unsigned = async (entries: ReturnType<typeof placeEntries>): Promise<void> => {
  const before = await log();
  const [leaves, placed] = [before.leaves + 20, entries.placed() + 20];
  await until(async () => (await log()).leaves >= leaves && entries.placed() >= placed, {
    what: 'more leaves',
    deadlineMs,
  });
  expect((await log()).checkpoints).toEqual(before.checkpoints);
};

/** The signers of the three steps of a rotation. */
const order = ['0', '0,1', '1'];

test('a rotation while entries are placed loses none, and only registered keys sign', async () => {
  const auditor = await startAuditorBeside(under);
  const entries = placeEntries();
  await signedBy(0);
  await startReplica(foreign); // nobody registered its key
  await startReplica(first, second);
  await register(first, second);
  await signedBy(0, 1);
  await register(second); // the two replicas with the first key stay
  await unsigned(entries);
  await startReplica(second);
  await signedBy(1);
  await entries.stop();

  await until(
    async () => {
      const { leaves, checkpoints } = await log();
      return leaves === entries.placed() && checkpoints.at(-1)?.size === leaves;
    },
    { what: 'a checkpoint over all entries', deadlineMs },
  );
  const { checkpoints } = await log();
  const steps = checkpoints.map(({ by }) => `${by}`);
  expect(steps).toEqual(steps.toSorted((a, b) => order.indexOf(a) - order.indexOf(b)));
  expect([...new Set(steps)]).toEqual(order);
  await auditor.passed();
  // the stand-in of orders knows none of the orders, so only violations of the log count here
  expect(auditor.notified().filter(({ orderId }) => orderId === '')).toEqual([]);
  await auditor.stop();
}, 120_000);

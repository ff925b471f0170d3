import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readConfig } from '@pto/config';
import {
  cosignaturesOf,
  parseCheckpoint,
  parseNote,
  parseVkey,
  parseWitnessVkey,
  signersOf,
} from '@pto/custody-verifier';
import { createTelemetry } from '@pto/telemetry';
import { until } from '@pto/testing';
import { Client } from 'pg';
import { settings } from '../../src/config.ts';
import { startCustody } from '../../src/service.ts';
import {
  anOrderId,
  anOrganization,
  type CustodyUnderTest,
  eventsOf,
  startCustodyService,
} from '../custody-service.ts';
import { logVkey, startShippedWitness } from './a-witness.ts';

let witnesses: Awaited<ReturnType<typeof startShippedWitness>>[];
let under: CustodyUnderTest;
let second: Awaited<ReturnType<typeof startCustody>>;
let database: Client;
const organizationId = anOrganization();
beforeAll(async () => {
  witnesses = [
    await startShippedWitness('one.test', 21),
    await startShippedWitness('two.test', 22),
  ];
  under = await startCustodyService({
    CUSTODY_CHECKPOINT_INTERVAL: '100ms',
    CUSTODY_WITNESSES: witnesses.map(({ setting }) => setting).join(','),
  });
  const telemetry = createTelemetry({ service: 'custody', write: () => {} });
  database = new Client({ connectionString: under.database.readerUrl });
  await database.connect();
  second = await startCustody(readConfig(settings, under.environment).settings, telemetry);
});
afterAll(async () => {
  await database?.end();
  await second?.stop();
  await under?.stop();
  for (const witness of witnesses ?? []) await witness.stop();
});

const keys = () => witnesses.map(({ vkey }) => parseWitnessVkey(vkey));
const published = async () => (await under.log.getCheckpoint({})).note;
const sql = async (text: string) => (await database.query(text)).rows;
const sizeOf = (note: string) => parseCheckpoint(parseNote(note).text).size;

test('two replicas publish each checkpoint with the cosignatures of both witnesses', async () => {
  let size = 0;
  for (let n = 0; n < 10; n++) {
    const events = eventsOf(anOrderId(), organizationId, 1 + n);
    await under.publish(events);
    size += events.length;
    const note = await until(
      async () => {
        const newest = await published();
        const cosigned = await cosignaturesOf(newest, keys());
        return sizeOf(newest) === size && cosigned.length === 2 && newest;
      },
      { what: `a cosigned checkpoint over ${size} leaves` },
    );
    // the log's own signature stays the first line, and holds
    expect((await signersOf(note, [parseVkey(logVkey)])).signers).toHaveLength(1);
  }
});

test('operators see the newest checkpoints, their cosignatures and each witness', async () => {
  const shown = await until(
    async () => {
      const { witnesses: states, ...log } = await under.ledger.showLog({});
      const isCurrent = states.every(({ cosignedSize }) => cosignedSize === log.size);
      return isCurrent && log.anchoredSize === log.size && { ...log, states };
    },
    { what: 'the newest checkpoint to be anchored and cosigned' },
  );
  const [newest, ...before] = shown.checkpoints;
  expect(newest).toMatchObject({
    size: shown.size,
    anchored: true,
    witnesses: ['one.test', 'two.test'],
  });
  const { root } = parseCheckpoint(parseNote(await published()).text);
  expect(newest!.root).toBe(Buffer.from(root).toString('base64'));
  const sizes = shown.checkpoints.map(({ size }) => Number(size));
  expect(sizes).toEqual(sizes.toSorted((a, b) => b - a));
  expect(before.length).toBeGreaterThan(0);
  expect(shown.states).toMatchObject([
    { name: 'one.test', failures: 0, secondsBehind: 0 },
    { name: 'two.test', failures: 0, secondsBehind: 0 },
  ]);
  expect(shown).toMatchObject({ origin: 'log.test/custody', halted: '' });
});

test('a proof file carries the cosignatures under one checkpoint', async () => {
  const orderId = anOrderId();
  await under.publish(eventsOf(orderId, organizationId, 3));
  const { log, completeness } = await until(
    async () => {
      const proof = await under.custody.getProof({
        orderId,
        organizationId,
        whole: true,
        atLeastSequence: 3,
      });
      return (
        proof.log && (await cosignaturesOf(proof.log.checkpoint, keys())).length === 2 && proof
      );
    },
    { what: 'a cosigned proof' },
  );
  expect(completeness!.checkpoint).toBe(log!.checkpoint);
  expect(Number(log!.treeSize)).toBe(sizeOf(log!.checkpoint));
});

test('the stored and the anchored note stay as the log signed them', async () => {
  for (const note of await under.anchored()) {
    expect(await cosignaturesOf(note, keys())).toEqual([]);
    expect(parseNote(note).signatures).toHaveLength(1);
  }
});

test('each cosignature is stored once, though both replicas submit', async () => {
  const rows = await sql(
    'select size, vkey, count(*)::int as times from log_cosignatures group by 1, 2 having count(*) > 1',
  );
  expect(rows).toEqual([]);
  const [state] = await sql(
    'select min(cosigned_size)::int as least, max(failures) as failures from log_witnesses',
  );
  expect(state).toEqual({ least: sizeOf(await published()), failures: 0 });
});

test('without witnesses, old proofs stay cosigned and new entries are proved at once', async () => {
  const proofOf = async (orderId: string) =>
    (await under.custody.getProof({ orderId, organizationId, whole: true, atLeastSequence: 1 }))
      .log;
  const before = anOrderId();
  await under.publish(eventsOf(before, organizationId, 1));
  const known = keys();
  const cosigned = async (orderId: string) => {
    const log = await proofOf(orderId);
    return log ? (await cosignaturesOf(log.checkpoint, known)).length : null;
  };
  await until(async () => (await cosigned(before)) === 2, { what: 'a cosigned proof' });
  for (const witness of witnesses.splice(0)) await witness.stop();
  const after = anOrderId();
  await under.publish(eventsOf(after, organizationId, 1));
  await until(async () => (await cosigned(after)) === 0, { what: 'a proof of the new entry' });
  // the newest checkpoint has no cosignature: the one before it is used where it covers the entry
  expect(await cosigned(before)).toBe(2);
  expect((await proofOf(before))!.treeSize).toBeLessThan((await proofOf(after))!.treeSize);
});

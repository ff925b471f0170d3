import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  cosignaturesOf,
  parseCheckpoint,
  parseNote,
  parseWitnessVkey,
} from '@pto/custody-verifier';
import { freePort, until } from '@pto/testing';
import { Client } from 'pg';
import {
  anOrderId,
  anOrganization,
  type CustodyUnderTest,
  eventsOf,
  startCustodyService,
} from '../custody-service.ts';
import { logVkey, startShippedWitness } from './a-witness.ts';
import { answers, drips, floods, hangs, startHostile } from './hostile-server.ts';

const deadline = 5000;
const intervalMs = 100;
const hanging = hangs();
const flooding = floods();
/** A valid signature line of another text, and lines that are none. */
const garbage = `\u2014 garbage.test ${Buffer.alloc(76, 1).toString('base64')}\n\n\u2014 \0\n${logVkey}\n`;

let honest: Awaited<ReturnType<typeof startShippedWitness>>;
let hostile: Awaited<ReturnType<typeof startHostile>>[];
let under: CustodyUnderTest;
let database: Client;
beforeAll(async () => {
  honest = await startShippedWitness('honest.test', 40);
  hostile = await Promise.all([
    startHostile('hanging.test', 41, hanging.listener),
    startHostile('flooding.test', 42, flooding.listener),
    startHostile('dripping.test', 43, drips),
    startHostile('garbage.test', 44, answers(200, garbage)),
    startHostile('zero.test', 45, answers(409, '0\n')),
    startHostile('ahead.test', 46, answers(409, '1000000\n')),
    startHostile('rejecting.test', 47, answers(422, '')),
  ]);
  const down = await startHostile('down.test', 48, () => {});
  down.stop();
  const [vkey] = down.setting.split('@');
  under = await startCustodyService({
    CUSTODY_CHECKPOINT_INTERVAL: `${intervalMs}ms`,
    CUSTODY_WITNESSES: [
      ...hostile.map(({ setting }) => setting),
      `${vkey}@http://127.0.0.1:${await freePort()}`,
      honest.setting,
    ].join(','),
  });
  database = new Client({ connectionString: under.database.readerUrl });
  await database.connect();
});
afterAll(async () => {
  await database?.end();
  await under?.stop();
  await honest?.stop();
  for (const server of hostile ?? []) server.stop();
});

const rows = async (text: string) => (await database.query(text)).rows;
const published = async () => (await under.log.getCheckpoint({})).note;

test('hostile witnesses delay neither signing, nor anchoring, nor the honest witness', async () => {
  const organizationId = anOrganization();
  const loadMs = 1.4 * deadline;
  const begin = Date.now();
  let size = 0;
  const waits: number[] = [];
  while (Date.now() - begin < loadMs || waits.length < 10) {
    await under.publish(eventsOf(anOrderId(), organizationId, 20));
    size += 20;
    const from = Date.now();
    await until(
      async () =>
        parseCheckpoint(parseNote((await under.anchored()).at(-1) ?? '').text).size >= size,
      { what: `an anchored checkpoint over ${size} leaves` },
    );
    waits.push(Date.now() - from);
  }
  // each request to a hanging witness takes 5 s: an anchoring that waited for one would, too. A busy
  // machine may delay single ones
  const slow = waits.filter((wait) => wait >= deadline / 2);
  expect(slow.length).toBeLessThan(1 + waits.length / 10);

  const note = await until(
    async () => {
      const newest = await published();
      const cosigned = await cosignaturesOf(newest, [parseWitnessVkey(honest.vkey)]);
      return cosigned.length === 1 && newest;
    },
    { what: 'the cosignature of the honest witness' },
  );
  expect(parseNote(note).signatures).toHaveLength(2);
  const [{ names }] = await rows(
    `select array_agg(distinct split_part(vkey, '+', 1)) as names from log_cosignatures`,
  );
  expect(names).toEqual(['honest.test']);
  // most checkpoints are cosigned though newer ones replace those that wait
  const [{ cosigned }] = await rows('select count(*)::int as cosigned from log_cosignatures');
  expect(cosigned).toBeGreaterThan(waits.length / 4);
});

test('a witness has one request in flight, and little of its response is read', async () => {
  await until(() => hanging.seen.requests >= 2, { what: 'two requests', deadlineMs: 60_000 });
  expect(hanging.seen.openMax).toBe(1);
  expect(flooding.seen.requests).toBeGreaterThan(0);
  // what the sockets' buffers hold, beside the 64 KiB that are read
  expect(flooding.seen.bytes / flooding.seen.requests).toBeLessThan(20_000_000);
});

test('each failure is counted by its reason, and the lag is measured', async () => {
  const metrics = await until(
    async () => {
      const text = await under.telemetry.metrics.metrics();
      return (
        /failures_total\{witness="dripping.test",reason="unreachable"[^}]*\} [1-9]/.test(text) &&
        text
      );
    },
    { what: 'a failure of the dripping witness' },
  );
  const reasons = {
    hanging: 'unreachable',
    flooding: 'unreachable',
    down: 'unreachable',
    garbage: 'failure',
    zero: 'failure',
    ahead: 'contradiction',
    rejecting: 'contradiction',
  };
  for (const [name, reason] of Object.entries(reasons))
    expect(metrics).toMatch(
      new RegExp(
        `custody_witness_failures_total\\{witness="${name}\\.test",reason="${reason}"[^}]*\\} [1-9]`,
      ),
    );
  expect(metrics).toMatch(
    /custody_witness_behind_seconds\{witness="honest\.test"[^}]*\} [01](\.|\n)/,
  );
  expect(metrics).toMatch(
    /custody_witness_behind_seconds\{witness="down\.test"[^}]*\} ([5-9]|\d\d)/,
  );
});

test('a witness that knows another log is logged as an error', () => {
  const errors = under.lines.filter((line) => line.includes('a witness contradicts the log'));
  expect(errors.every((line) => line.includes('"level":"error"'))).toBe(true);
  expect(errors.some((line) => line.includes('cosigned a log of 1000000 leaves'))).toBe(true);
  expect(errors.some((line) => line.includes('rejects a correct consistency proof'))).toBe(true);
});

test('the service stops while a witness hangs', async () => {
  const before = hanging.seen.requests;
  const second = await startCustodyService({ CUSTODY_WITNESSES: hostile[0]!.setting });
  await second.publish(eventsOf(anOrderId(), anOrganization(), 1));
  await until(() => hanging.seen.requests > before, { what: 'a request', deadlineMs: 60_000 });
  const stopping = Date.now();
  await second.stop();
  expect(Date.now() - stopping).toBeLessThan(deadline);
});

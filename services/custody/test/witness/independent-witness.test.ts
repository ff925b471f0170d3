import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  checkpointText,
  cosignaturesOf,
  parseCheckpoint,
  parseNote,
  parseWitnessVkey,
} from '@pto/custody-verifier';
import { noteKeyOfSeed, signNote } from '@pto/custody-verifier/sign-note';
import { until } from '@pto/testing';
import {
  anOrderId,
  anOrganization,
  type CustodyUnderTest,
  eventsOf,
  startCustodyService,
} from '../custody-service.ts';
import { logVkey, origin, startShippedWitness } from './a-witness.ts';
import { buildIndependent, hasGo } from './independent-witness.ts';

/** Each needs two cosignatures. */
const checkpoints = Number(process.env.CHECKPOINTS ?? 30);

(hasGo ? describe : describe.skip)('the witness of github.com/transparency-dev/witness', () => {
  let built: Awaited<ReturnType<typeof buildIndependent>>;
  let independent: Awaited<ReturnType<typeof built.serve>>;
  let shipped: Awaited<ReturnType<typeof startShippedWitness>>;
  let under: CustodyUnderTest;
  /** Cosigned notes, in the order of their sizes. */
  const notes: string[] = [];
  beforeAll(async () => {
    built = await buildIndependent();
    independent = await built.serve('independent.test', logVkey);
    shipped = await startShippedWitness('shipped.test', 31);
    under = await startCustodyService({
      CUSTODY_CHECKPOINT_INTERVAL: '1ms',
      CUSTODY_WITNESSES: `${independent.vkey}@${independent.url},${shipped.setting}`,
    });
  }, 300_000);
  afterAll(async () => {
    await under?.stop();
    await shipped?.stop();
    built?.stop();
  });

  const published = async () => (await under.log.getCheckpoint({})).note;
  const sizeOf = (note: string) => parseCheckpoint(parseNote(note).text).size;

  test(`cosigns ${checkpoints} checkpoints of the custody service`, async () => {
    const keys = [independent.vkey, shipped.vkey].map(parseWitnessVkey);
    const organizationId = anOrganization();
    for (let size = 1; size <= checkpoints; size++) {
      await under.publish(eventsOf(anOrderId(), organizationId, 1));
      const note = await until(
        async () => {
          const newest = await published();
          if (sizeOf(newest) !== size) return false;
          return (await cosignaturesOf(newest, keys)).length === 2 && newest;
        },
        { what: `two cosignatures over ${size} leaves` },
      );
      notes.push(note);
    }
    expect(notes).toHaveLength(checkpoints);
  }, 300_000);

  test('the cosignatures of both witnesses hold for github.com/transparency-dev/formats', async () => {
    expect(await built.checks(independent.vkey, notes)).toBe(true);
    expect(await built.checks(shipped.vkey, notes)).toBe(true);
    const changed = notes[0]!.replace('\n1\n', '\n2\n');
    expect(await built.checks(shipped.vkey, [changed])).toBe(false);
  });

  /** The checkpoint of a log of that size that the log's key signs, with other leaves. */
  const forkOf = (size: number) =>
    signNote(
      checkpointText({ origin, size, root: createHash('sha256').update('fork').digest() }),
      noteKeyOfSeed(origin, Buffer.alloc(32, 5)),
    );
  const submit = (url: string, old: number, proof: readonly string[], note: string) =>
    fetch(`${url}/add-checkpoint`, {
      method: 'POST',
      body: `old ${old}\n${proof.map((line) => `${line}\n`).join('')}\n${note}`,
    });
  const someHash = createHash('sha256').update('a hash').digest('base64');

  test('it and the shipped witness refuse a fork and a shrunk log', async () => {
    for (const { url } of [independent, shipped]) {
      // a fork of the same size: the released witness answers 409 without a size
      const same = await submit(url, checkpoints, [], forkOf(checkpoints));
      expect([409, 422]).toContain(same.status);
      const larger = await submit(url, checkpoints, [someHash], forkOf(checkpoints + 1));
      expect(larger.status).toBe(422);
      const shrunk = await submit(url, checkpoints, [], notes[checkpoints / 2 - 1]!);
      expect(shrunk.status).toBe(400);
      const forgotten = await submit(url, 0, [], notes[checkpoints / 2 - 1]!);
      expect([forgotten.status, await forgotten.text()]).toEqual([409, `${checkpoints}\n`]);
      for (const response of [same, larger, shrunk])
        expect(await response.text()).not.toContain('\u2014');
    }
  });

  test('a custody service that forks is not cosigned, and logs it as an error', async () => {
    const forked = await startCustodyService({
      CUSTODY_CHECKPOINT_INTERVAL: '1ms',
      CUSTODY_WITNESSES: `${independent.vkey}@${independent.url},${shipped.setting}`,
    });
    try {
      const organizationId = anOrganization();
      const contradictions = () =>
        forked.lines.filter((line) => line.includes('a witness contradicts the log'));
      // smaller than what the witnesses cosigned: the log was shrunk
      await forked.publish(eventsOf(anOrderId(), organizationId, checkpoints / 2));
      await until(() => contradictions().length >= 2, { what: 'two contradictions' });
      expect(contradictions().join('')).toContain(`cosigned a log of ${checkpoints} leaves`);
      // larger: a fork
      await forked.publish(eventsOf(anOrderId(), organizationId, checkpoints));
      await until(
        () => contradictions().filter((line) => line.includes('consistency proof')).length >= 2,
        { what: 'two rejected proofs', deadlineMs: 60_000 },
      );
      const { note } = await forked.log.getCheckpoint({});
      expect(parseNote(note).signatures).toHaveLength(1);
    } finally {
      await forked.stop();
    }
  }, 120_000);
});

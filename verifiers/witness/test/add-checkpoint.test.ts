import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { checkpointText, cosignaturesOf, parseWitnessVkey } from '@pto/custody-verifier';
import { signNote } from '@pto/custody-verifier/sign-note';
import { aLog, bodyOf, logKeyOf } from './a-log.ts';
import { aWitness } from './a-witness.ts';

const origin = 'log.test/one';
const idle = 'log.test/idle';
const emptyRoot = '47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=';
const emptyLogWithRoot = signNote(
  checkpointText({ origin: idle, size: 0, root: Buffer.alloc(32, 1) }),
  logKeyOf(idle),
);
let witness: Awaited<ReturnType<typeof aWitness>>;
let log: Awaited<ReturnType<typeof aLog>>;
let fork: Awaited<ReturnType<typeof aLog>>;
beforeAll(async () => {
  witness = await aWitness([origin, idle]);
  log = await aLog(origin, { shared: 5 });
  fork = await aLog(origin, { fork: 'another', shared: 5 });
});
afterAll(async () => {
  await witness?.stop();
  witness?.forget();
});

const sizeOf = async (name = origin) =>
  (await witness.status()).logs.find((one) => one.origin === name)!.size;

test('cosigns the first checkpoint and each one that continues it', async () => {
  for (const [old, size] of [
    [0, 3],
    [3, 8],
    [8, 8],
    [8, 13],
  ] as const) {
    const answer = await witness.submit(await log.body(old, size));
    expect({ old, size, status: answer.status }).toEqual({ old, size, status: 200 });
    const [cosignature, ...others] = await cosignaturesOf(
      (await log.checkpoint(size)) + answer.text,
      [parseWitnessVkey(witness.vkey)],
    );
    expect(others).toEqual([]);
    expect(Math.abs(cosignature!.time - Date.now() / 1000)).toBeLessThan(60);
    expect(await sizeOf()).toBe(size);
  }
});

describe('after a checkpoint of 13 leaves', () => {
  test.each([
    ['409 for an old size that is smaller', 409, () => log.body(8, 15)],
    ['409 for an old size that is larger', 409, () => log.body(14, 15)],
    ['409 for a shrunk log', 409, () => log.body(8, 9)],
    [
      '400 for an old size larger than the checkpoint',
      400,
      async () => bodyOf(13, [], await log.checkpoint(9)),
    ],
    ['422 for a fork of the same size', 422, () => fork.body(13, 13)],
    ['422 for a larger fork', 422, () => fork.body(13, 17)],
    ['422 for an empty proof', 422, async () => bodyOf(13, [], await log.checkpoint(15))],
    [
      '422 for a proof that is not needed',
      422,
      async () => bodyOf(13, await log.proof(8, 13), await log.checkpoint(13)),
    ],
    [
      '422 for a proof from another size',
      422,
      async () => bodyOf(13, await log.proof(12, 15), await log.checkpoint(15)),
    ],
    [
      '403 for a signature of another key',
      403,
      async () =>
        bodyOf(13, await log.proof(13, 15), await log.checkpoint(15, logKeyOf(origin, 8))),
    ],
    [
      '403 for a signature that does not hold',
      403,
      async () => bodyOf(13, [], (await log.checkpoint(15)).replace('\n15\n', '\n16\n')),
    ],
    ['404 for an unknown log', 404, async () => (await aLog('log.test/two')).body(0, 3)],
    ['422 for an empty log with a root', 422, async () => bodyOf(0, [], emptyLogWithRoot)],
    [
      '422 for a proof from the empty log',
      422,
      async () => bodyOf(0, await log.proof(3, 8), await (await aLog(idle)).checkpoint(8)),
    ],
    ['400 for no old line', 400, () => log.checkpoint(15)],
    [
      '400 for an old size with a leading zero',
      400,
      async () => bodyOf('013', [], await log.checkpoint(15)),
    ],
    ['400 for a negative old size', 400, async () => bodyOf('-1', [], await log.checkpoint(15))],
    [
      '400 for a proof line that is no hash',
      400,
      async () => bodyOf(13, ['AAAA'], await log.checkpoint(15)),
    ],
    ...[0, 1, 15, 31, 33, 63, 65].map((length): [string, number, () => Promise<string>] => [
      `400 for a proof line of ${length} bytes`,
      400,
      async () => {
        const [first = '', ...others] = await log.proof(13, 15);
        const bytes = Buffer.alloc(65, Buffer.from(first, 'base64')).subarray(0, length);
        return bodyOf(13, [bytes.toString('base64'), ...others], await log.checkpoint(15));
      },
    ]),
    [
      '400 for a proof line with text after it',
      400,
      async () => {
        const [first, ...others] = await log.proof(13, 15);
        return bodyOf(13, [`${first}AAAA`, ...others], await log.checkpoint(15));
      },
    ],
    ...[1, 15, 31, 33, 63, 65].map((length): [string, number, () => Promise<string>] => [
      `403 for a signature of ${length} bytes`,
      403,
      async () =>
        bodyOf(
          13,
          await log.proof(13, 15),
          (await log.checkpoint(15)).replace(/[^ ]+\n$/, (encoded) => {
            const bytes = Buffer.from(encoded, 'base64');
            const other = Buffer.concat([bytes, bytes]).subarray(0, 4 + length);
            return `${other.toString('base64')}\n`;
          }),
        ),
    ]),
    [
      '400 for 64 proof lines',
      400,
      async () => bodyOf(13, Array(64).fill(emptyRoot), await log.checkpoint(15)),
    ],
    [
      '400 for a note without signatures',
      400,
      async () => `old 13\n\n${origin}\n15\n${emptyRoot}\n`,
    ],
    ['400 for an empty body', 400, async () => ''],
    [
      '413 for a body of more than 64 KiB',
      413,
      async () => bodyOf(13, [], await log.checkpoint(15)) + 'x'.repeat(70_000),
    ],
  ])('answers %s, and cosigns nothing', async (_, status, body) => {
    const answer = await witness.submit(await body());
    expect(answer.status).toBe(status);
    expect(answer.text).not.toContain('\u2014 witness.test');
    if (status === 409) expect(answer).toMatchObject({ type: 'text/x.tlog.size', text: '13\n' });
    expect([await sizeOf(), await sizeOf(idle)]).toEqual([13, 0]);
  });

  test('logs a fork as an error', () => {
    const logged = witness.lines.filter((line) =>
      line.includes('not proven to continue the cosigned one'),
    );
    expect(logged.length).toBeGreaterThanOrEqual(2);
    expect(logged[0]).toContain('"level":"error"');
  });

  test('shows the last cosigned checkpoint with both signatures', async () => {
    const { checkpoint } = (await witness.status()).logs[0]!;
    const response = await fetch(witness.url + checkpoint);
    const note = await response.text();
    expect(note.startsWith(await log.checkpoint(13))).toBe(true);
    expect(await cosignaturesOf(note, [parseWitnessVkey(witness.vkey)])).toHaveLength(1);
    const other = await fetch(`${witness.url}/${'0'.repeat(64)}/checkpoint`);
    expect(other.status).toBe(404);
  });

  test('answers 405 for other methods', async () => {
    expect((await fetch(`${witness.url}/add-checkpoint`)).status).toBe(405);
    expect((await fetch(witness.url, { method: 'DELETE' })).status).toBe(405);
  });

  test('of many requests at the same moment, exactly one of each old size is cosigned', async () => {
    const bodies = await Promise.all([14, 15, 16, 17, 18].map((size) => log.body(13, size)));
    const answers = await Promise.all(bodies.map(witness.submit));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409]);
  });
});

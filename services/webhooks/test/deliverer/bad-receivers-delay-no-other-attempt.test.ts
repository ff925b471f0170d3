import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Authority, makeAuthority } from '@pto/testing';
import type { Egress } from '../../src/egress/egress.ts';
import { type BadReceiver, badReceivers } from '../bad-receivers.ts';
import { localEgress } from '../egress/local-egress.ts';

const timeoutMs = 3000;
const responseMaxBytes = 64 * 1024;
/** What the claim gives an endpoint: this many places, and fewer once it keeps failing. */
const [places, placesOfFailing] = [8, 2];
const loadMs = 150;
/** About what the deliverer takes to record an attempt and to claim the next. */
const pauseMs = 10;

let authority: Authority;
let egress: Egress;
let receivers: ChildProcess;
let ports: Record<string, number>;
let heldBefore = 0;

beforeAll(async () => {
  authority = makeAuthority();
  egress = localEgress(authority, 700);
  const program = new URL('../bad-receivers-process.ts', import.meta.url);
  receivers = fork(program, [authority.certFile, authority.keyFile], { execArgv: [] });
  [ports] = (await once(receivers, 'message')) as [Record<string, number>];
  await postToOthers(loadMs); // once, so that what is compiled is compiled
  heldBefore = await memoryMb();
}, 30_000);
afterAll(async () => {
  await egress.close();
  receivers.disconnect();
  authority.forget();
});

/** @returns the status, or the fault. */
const postTo = async (name: string) => {
  const begun = performance.now();
  const ended = await egress
    .request({
      endpointId: 'e',
      method: 'POST',
      url: new URL(`https://127.0.0.1:${ports[name]}/`),
      headers: {},
      body: Buffer.from('{}'),
      timeoutMs,
      responseMaxBytes,
    })
    .then(
      (answer) => {
        expect(answer.body.length).toBeLessThanOrEqual(responseMaxBytes);
        return answer.statusCode;
      },
      (error) => error.fault,
    );
  return { ended, tookMs: performance.now() - begun };
};

/** One attempt after the other, for a while. */
const postFor = async (name: string, ms: number, restMs: number) => {
  const attempts: Awaited<ReturnType<typeof postTo>>[] = [];
  for (const until = performance.now() + ms; performance.now() < until; ) {
    attempts.push(await postTo(name));
    await sleep(restMs);
  }
  return attempts;
};

/** To a receiver that is well, several at once. */
const postToOthers = async (ms: number) =>
  (await Promise.all(Array.from({ length: 4 }, () => postFor('well', ms, 1)))).flat();

const median = (attempts: readonly { tookMs: number }[]): number =>
  attempts.map(({ tookMs }) => tookMs).sort((a, b) => a - b)[Math.floor(attempts.length / 2)]!;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** What is held after garbage is gone, in MB. */
const memoryMb = async (): Promise<number> => {
  // what a socket holds is freed a turn after the socket
  for (let n = 0; n < 2; n++) {
    collectGarbage();
    await setImmediate();
  }
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / 1e6;
};

/** Attempts at bad receivers, as many of each at once as the claim allows, beside others. */
const attempt = async (bad: readonly BadReceiver[]) => {
  const [beside, ...attempts] = await Promise.all([
    postToOthers(loadMs),
    ...bad.map(async ({ name, ends }) => {
      const atOnce = typeof [ends].flat()[0] === 'number' ? places : placesOfFailing;
      const each = Array.from({ length: atOnce }, () => postFor(name, loadMs, pauseMs));
      return [name, (await Promise.all(each)).flat()] as const;
    }),
  ]);
  expect(new Set(beside.map(({ ended }) => ended))).toEqual(new Set([204]));
  // the machine may be busy with others: nobody waits for the time that the bad one takes
  expect(median(beside)).toBeLessThan(timeoutMs);
  return new Map(attempts);
};

const expectEnds = (
  { ends }: BadReceiver,
  attempts: readonly Awaited<ReturnType<typeof postTo>>[],
) => {
  expect(attempts.length).toBeGreaterThan(0);
  const expected = [ends].flat();
  expect(attempts.map(({ ended }) => ended).filter((end) => !expected.includes(end))).toEqual([]);
  expect(Math.max(...attempts.map(({ tookMs }) => tookMs))).toBeLessThan(3 * timeoutMs);
};

const isLoud = ({ name }: BadReceiver) => name.startsWith('pours');
const quiet = badReceivers.filter((receiver) => !isLoud(receiver));

describe('one that', () => {
  let attempts: Awaited<ReturnType<typeof attempt>>;
  beforeAll(async () => {
    attempts = await attempt(quiet); // all at once: they cost time and little else
  });
  test.each(quiet.map((receiver) => [receiver.name, receiver.ends, receiver] as const))(
    '%s: %s, in time, and beside it the others go on',
    (name, _, receiver) => expectEnds(receiver, attempts.get(name)!),
  );
  test.each(badReceivers.filter(isLoud).map((one) => [one.name, one.ends, one] as const))(
    '%s: %s, in time, and beside it the others go on',
    async (name, _, receiver) => expectEnds(receiver, (await attempt([receiver])).get(name)!),
  );
});

test('no memory is held of any of them', async () => {
  expect((await memoryMb()) - heldBefore).toBeLessThan(16);
});

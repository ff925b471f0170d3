import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { parseVkey, signersOf } from '@pto/custody-verifier';
import { noteKeyOfSeed, publicBytes, vkeyOfSigner } from '@pto/custody-verifier/sign-note';
import { until } from '@pto/testing';
import type { cluster } from './cluster.ts';
import { forwardGateway, gatewayUrl } from './gateway-forward.ts';

const origin = 'localhost/custody'; // of environments/local.yaml
/** A checkpoint follows the next entry, and a partner is at work. */
const signedWithinMs = 60_000;
const auditedWithinMs = 60_000;

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');
const keyOf = (seed: Buffer) => noteKeyOfSeed(origin, seed);

/** Returns which of the keys have signed the newest checkpoint, in the order of its signatures. */
const newestSigners = async (seeds: readonly Buffer[]): Promise<number[]> => {
  const note = await (await fetch(`${gatewayUrl}/custody/checkpoint`)).text();
  const keys = seeds.map((seed) => parseVkey(vkeyOfSigner(keyOf(seed))));
  return (await signersOf(note, keys)).signers.map((key) => keys.indexOf(key));
};

/**
 * Rotates the log's key as docs/operators/ledger.md says: the old key, both, the new key.
 * @returns what was seen. @throws if a step brings no checkpoint with its signatures, or if the
 *   auditor finds a violation.
 */
export const rotateLogKey = async (on: ReturnType<typeof cluster>): Promise<string> => {
  const path = 'jsonpath={.data.CUSTODY_SIGNING_KEYS}';
  const stored = await on.kubectl('get', 'secret', 'custody', '-o', path);
  const old = Buffer.from(Buffer.from(stored, 'base64').toString(), 'base64');
  const next: Buffer = randomBytes(32);
  const step = async (...seeds: Buffer[]): Promise<void> => {
    const secret = { stringData: { CUSTODY_SIGNING_KEYS: seeds.map(base64).join(',') } };
    await on.kubectl('patch', 'secret', 'custody', '--patch', JSON.stringify(secret));
    const publicHalves = seeds.map((seed) => base64(publicBytes(keyOf(seed)))).join(',');
    const setting = `custody.jobs.migrate.env.CUSTODY_PUBLIC_KEYS=${JSON.stringify(publicHalves)}`;
    await on.upgrade('--set-json', setting);
    await on.kubectl('rollout', 'restart', 'deployment/custody');
    await on.kubectl('rollout', 'status', 'deployment/custody', '--timeout=180s');
    // a port-forward ends with its pod, so each step has its own
    const forward = await forwardGateway(on.namespace);
    const wanted = seeds.map((seed) => [old, next].indexOf(seed));
    await until(async () => `${await newestSigners([old, next])}` === `${wanted}`, {
      deadlineMs: signedWithinMs,
      what: `a checkpoint by the keys ${wanted}`,
    }).finally(() => forward.kill());
  };
  await step(old, next);
  await step(next, old);
  await step(next);
  const since = new Date().toISOString();
  const auditor = (...words: string[]) => on.kubectl('logs', 'deployment/auditor', ...words);
  await until(
    async () => (await auditor(`--since-time=${since}`)).includes('audit pass completed'),
    {
      deadlineMs: auditedWithinMs,
      what: 'an audit pass',
    },
  );
  assert(!(await auditor('--tail=-1')).includes('integrity violation'));
  return 'signed by the old key, both, the new key; no violation found';
};

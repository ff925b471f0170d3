/** Checks that the receiver accepts signed deliveries alone (contract 6.4). */
import { newSecret } from '../../listen/delivery.ts';
import type { Check } from '../check.ts';
import { deliver } from '../deliver.ts';
import { refusesGenuine } from '../genuine.ts';

/** Seconds by which a time of a signature is wrong; the tolerance is 300 (contract 6.4). */
const wrongByS = 600;
const byHand = 'guides/webhook-reference#by-hand';
const rotation = 'guides/webhook-reference#a-new-secret';

export const signatureChecks: readonly Check[] = [
  {
    name: 'rotation-overlap',
    does: 'Sends deliveries with two signatures, as during the rotation of a secret, and expects 2xx whichever is the second.',
    fix: 'Accept a delivery if any v1 of the header matches any of your secrets.',
    section: rotation,
    run: async (trial, seen) => {
      const { secret } = trial.receiver;
      const next = trial.nextSecret ?? newSecret();
      for (const [what, secrets] of [
        ['the present signature second', [next, secret]],
        ['the present signature first', [secret, next]],
      ] as const)
        await deliver(
          trial,
          seen,
          { what, delivery: trial.sample(), expected: '2xx' },
          { secrets },
        );
    },
  },
  {
    name: 'rotation-complete',
    does: 'Sends a delivery that the next secret alone signed and expects 2xx.',
    fix: 'Let the receiver know both secrets during a rotation.',
    section: rotation,
    missing: ({ nextSecret }) =>
      nextSecret === null
        ? 'Give the receiver a second secret, and set PTO_WEBHOOK_NEXT_SECRET to it.'
        : null,
    run: (trial, seen) =>
      deliver(
        trial,
        seen,
        { what: 'the next signature alone', delivery: trial.sample(), expected: '2xx' },
        { secrets: [trial.nextSecret!] },
      ),
  },
  {
    name: 'forged-signature',
    does: 'Sends a delivery that another secret signed, one without a signature and one with a malformed signature, and expects 4xx for each.',
    fix: 'Respond 401 unless a v1 of X-Service-Signature matches; compare in constant time.',
    section: byHand,
    missing: refusesGenuine,
    run: async (trial, seen) => {
      for (const [what, signing] of [
        ['the signature of another secret', { secrets: [newSecret()] }],
        ['no signature', { secrets: [] }],
        ['a malformed signature', { header: 't=now,v1=none' }],
      ] as const)
        await deliver(trial, seen, { what, delivery: trial.sample(), expected: '4xx' }, signing);
    },
  },
  {
    name: 'changed-body',
    does: 'Sends bodies that were changed after the signature, one of them by a space alone, and expects 4xx for each.',
    fix: 'Compute the signature over the received bytes, before anything parses them.',
    section: byHand,
    missing: refusesGenuine,
    run: async (trial, seen) => {
      for (const [what, change] of [
        ['a changed status', (body: string) => body.replace('"submitted"', '"cancelled"')],
        ['an additional space', (body: string) => body.replace('{', '{ ')],
      ] as const) {
        const delivery = trial.sample();
        const body = change(delivery.body);
        await deliver(trial, seen, { what, delivery, expected: '4xx' }, { body });
      }
    },
  },
  {
    name: 'old-timestamp',
    does: 'Sends deliveries that were signed 10 minutes ago and 10 minutes ahead and expects 4xx for both.',
    fix: 'Reject a delivery if t differs by more than 300 seconds from the time of your clock.',
    section: byHand,
    missing: refusesGenuine,
    run: async (trial, seen) => {
      for (const [what, shiftS] of [
        ['signed 10 minutes ago', -wrongByS],
        ['signed 10 minutes ahead', wrongByS],
      ] as const)
        await deliver(trial, seen, { what, delivery: trial.sample(), expected: '4xx' }, { shiftS });
    },
  },
];

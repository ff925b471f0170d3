import type { ProofVerdict } from '@pto/custody-verifier';
import type { CertificateInput, Picture } from '../input.ts';
import { de } from '../texts/de.ts';
import { en, type Texts } from '../texts/en.ts';
import { type Entry, entriesOf } from './entries.ts';
import { type Members, membersOf, textOf } from './members.ts';

/** What the sections of a certificate read. */
export interface Subject {
  readonly texts: Texts;
  readonly order: Members;
  readonly proof: Members;
  readonly entries: readonly Entry[];
  readonly verdict: ProofVerdict;
  readonly custody: CustodyTimes;
  readonly pictures: readonly Picture[];
}

/** Start of the pickup and delivery, as the entries have them; null before. */
export interface CustodyTimes {
  readonly from: string | null;
  readonly to: string | null;
}

/**
 * Returns what the sections read.
 * @throws Error if the verdict is not about the proof, or the proof is not about the order. An
 *   invalid proof may name any order, so nothing is compared then.
 */
export const subjectOf = ({ language, verdict, ...input }: CertificateInput): Subject => {
  const [order, proof] = [membersOf(input.order), membersOf(input.proof)];
  if (verdict.verdict !== 'invalid') {
    requireEqual('order id', textOf(proof.order_id), textOf(order.id));
    requireEqual('order id', textOf(proof.order_id), verdict.orderId);
    requireEqual('head hash', textOf(proof.head_hash), verdict.head);
  }
  const entries = entriesOf(proof);
  const timeOf = (type: string) =>
    entries.find(({ internalType, at }) => internalType === type && !Number.isNaN(Date.parse(at)))
      ?.at ?? null;
  const custody = { from: timeOf('PICKUP_STARTED'), to: timeOf('CUSTODY_TRANSFERRED') };
  const { pictures = [] } = input;
  return { texts: { en, de }[language], order, proof, entries, verdict, custody, pictures };
};

const requireEqual = (what: string, inProof: string, expected: string): void => {
  if (inProof !== expected)
    throw new Error(
      `the proof has the ${what} ${inProof}, expected ${expected}: pass the proof of this order and the verdict on it`,
    );
};

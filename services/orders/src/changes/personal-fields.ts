/** Keeps the values of personal fields out of events: pure, apart from the random salts. */
import { randomBytes } from 'node:crypto';
import { commitmentIn, commitmentOf } from '@pto/custody-verifier';
import { invalid } from '@pto/errors';
import { payloadField } from '@pto/proto/payload-fields';
import type { Announcement, JsonObject } from '../domain/order.ts';

/** A personal field of an entry, the value that it commits to and the salt. */
export interface CommittedField {
  readonly field: string;
  readonly value: unknown;
  readonly salt: string;
}

/**
 * Replaces the values of personal fields by commitments with a salt of 32 random bytes each
 * (decision 70).
 * @throws Failure VALIDATION for what custody would park: a field that proto/payload-fields.ts does
 *   not declare for the type, or an open one that looks like a commitment.
 */
export const commitPersonal = ({
  internalType,
  payload,
}: Pick<Announcement, 'internalType' | 'payload'>): {
  readonly payload: JsonObject | null;
  readonly committed: readonly CommittedField[];
} => {
  const committed: CommittedField[] = [];
  if (payload === null) return { payload, committed };
  const members = Object.entries(payload).map(([field, value]): [string, unknown] => {
    const declared = payloadField(internalType, field);
    if (declared === undefined)
      throw invalid(
        ['payload', field],
        `not a field of ${internalType} (docs/partners/custody.md)`,
      );
    if (declared === 'open' && commitmentIn(payload, field) !== null)
      throw invalid(['payload', field], 'must not have the form of a commitment');
    if (declared === 'open' || value === null) return [field, value];
    const one = { field, value, salt: randomBytes(32).toString('hex') };
    committed.push(one);
    return [field, { commitment: commitmentOf(field, one) }];
  });
  return { payload: Object.fromEntries(members), committed };
};

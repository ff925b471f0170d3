import { randomUUID } from 'node:crypto';
import type { Database } from '@pto/database';
import {
  type Claimed,
  type ClaimRequest,
  claimDue,
  firstEndpoint,
} from '../src/deliverer/claim.ts';

/** Claims once, without attempts in flight; eight slots per endpoint by default. */
export const claimNow = async (
  db: Database,
  more: Partial<ClaimRequest>,
): Promise<readonly Claimed[]> => {
  const { claimed } = await claimDue(db, {
    owner: randomUUID(),
    leaseMs: 60_000,
    most: 8,
    perEndpoint: 8,
    perOrganization: 64,
    failing: 128,
    inFlight: new Map(),
    retryWaitsMs: [60_000, 300_000, 1_800_000, 14_400_000, 69_840_000],
    afterEndpoint: firstEndpoint,
    rehearses: false,
    ...more,
  });
  return claimed;
};

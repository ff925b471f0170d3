import type { Database } from '@pto/database';
import { listKeys } from '../log/keys.ts';
import { proveChain } from '../proofs/prove-chain.ts';
import { toKey } from './log-service.ts';

/** Returns a chain with its proofs and the log's keys: what a proof file has. */
export const wholeProof = async (
  db: Pick<Database, 'query' | 'snapshot'>,
  orderId: string,
  options: { readonly origin: string; readonly witnesses: readonly string[] },
) => {
  const proof = await db.snapshot((sql) => proveChain(sql, orderId, { ...options, whole: true }));
  return { ...proof, keys: (await listKeys(db)).map(toKey) };
};

/**
 * Computes a verdict from the chain, its proofs, the signer of the checkpoint and the witnesses.
 */

import {
  headlineOfFault,
  headlineOfHistory,
  isWitnessed,
  limitOfFault,
  limitOfHistory,
  signerOf,
} from './sentences.ts';
import type { HistoryParts, HistoryVerdict, InvalidVerdict, ProofFault } from './verdict.ts';

/**
 * Returns the verdict on a consistent chain: proven only if a trusted key signed (decision 51) and
 * as many witnesses cosigned as the caller requires.
 */
export const historyVerdict = (parts: HistoryParts): HistoryVerdict => ({
  verdict: signerOf(parts) === 'trusted' && isWitnessed(parts.witnesses) ? 'proven' : 'consistent',
  headline: headlineOfHistory(parts),
  limit: limitOfHistory(parts),
  orderId: parts.orderId,
  entries: parts.entries.length,
  upTo: parts.entries.at(-1)?.ts_utc ?? null,
  head: parts.head,
  log: parts.log,
  completeness: parts.completeness,
  ...(parts.witnesses && { witnesses: parts.witnesses }),
});

export const invalidVerdict = ({ at, index, entryId, reason }: ProofFault): InvalidVerdict => ({
  verdict: 'invalid',
  headline: headlineOfFault(at, index),
  limit: limitOfFault,
  at,
  ...(index !== undefined && { index }),
  ...(entryId !== undefined && { entryId }),
  reason,
});

import type { ChainEntry } from '../entry-hash.ts';
import { readJson } from '../json/read-json.ts';
import { Rejection } from '../rejection.ts';
import { type Head, verifyChain } from '../verify-chain.ts';
import { historyVerdict, invalidVerdict } from './judge.ts';
import { fromUtf8 } from './proof-file.ts';
import type { ProofVerdict } from './verdict.ts';

/**
 * Judges a list of events, the response of `GET /orders/{id}/events`. The verdict is never proven
 * (decision 51).
 * @param file the text of the list, or its UTF-8 bytes.
 * @param seen an earlier head that the chain must still contain.
 */
export const verifyEvents = (
  file: string | Uint8Array,
  orderId: string,
  seen?: Head,
): ProofVerdict => {
  try {
    const events = readJson(
      typeof file === 'string' ? file.replace(/^\uFEFF/, '') : fromUtf8(file),
    );
    if (!Array.isArray(events)) throw new Rejection('not a list of events');
    const entries = events as ChainEntry[];
    const chain = verifyChain(orderId, entries, seen);
    if (!chain.valid) return invalidVerdict({ ...chain, at: 'entries' });
    return historyVerdict({
      source: 'events',
      orderId,
      entries,
      head: chain.head,
      log: null,
      completeness: null,
      witnesses: null,
    });
  } catch (error) {
    if (error instanceof Rejection) return invalidVerdict({ at: 'form', reason: error.message });
    throw error;
  }
};

import type { ChainEntry } from '../entry-hash.ts';
import { readJson } from '../json/read-json.ts';
import { fromUtf8 } from '../proof/proof-file.ts';
import { type Seen, verifyProof } from '../proof/verify-proof.ts';
import { Refused } from '../refused.ts';
import { verifyChain } from '../verify-chain.ts';
import type { Asked } from './arguments.ts';
import { readBytes } from './read-bytes.ts';
import { type Judged, report } from './report.ts';
import { WrongUsage } from './wrong-usage.ts';

/**
 * The verdict, as lines to print.
 * @throws WrongUsage
 */
export const judge = async (asked: Asked): Promise<{ valid: boolean; lines: string[] }> => {
  const bytes = await readBytes(asked.file);
  const isList = /^\s*\[/.test(new TextDecoder().decode(bytes.subarray(0, 100)));
  if (isList && asked.order === undefined)
    throw new WrongUsage('this is a list of events: --order must say of which order');
  const judged =
    asked.order === undefined
      ? await verifyProof(bytes, { trustedKeys: asked.trustedKeys, seen: await readSeen(asked) })
      : judgeEvents(bytes, asked.order, asked);
  return {
    valid: judged.valid,
    lines: asked.json ? [JSON.stringify(judged)] : report(judged),
  };
};

const judgeEvents = (bytes: Uint8Array, orderId: string, { seenHead }: Asked): Judged => {
  try {
    const events = readJson(fromUtf8(bytes));
    if (!Array.isArray(events)) throw new Refused('not a list of events');
    const verdict = verifyChain(orderId, events as ChainEntry[], seenHead);
    return verdict.valid
      ? { ...verdict, orderId, entries: events.length }
      : { ...verdict, at: 'entries' };
  } catch (error) {
    if (error instanceof Refused) return { valid: false, at: 'form', reason: error.message };
    throw error;
  }
};

const readSeen = async ({ seenHead, seenCheckpoint }: Asked): Promise<Seen> => {
  if (seenCheckpoint === undefined) return { head: seenHead };
  const bytes = await readBytes(seenCheckpoint);
  try {
    const text = fromUtf8(bytes);
    if (!text.startsWith('{')) return { head: seenHead, checkpoint: text };
    const { checkpoint, consistency } = readJson(text) as Seen;
    return { head: seenHead, checkpoint: checkpoint ?? '', consistency };
  } catch (error) {
    if (error instanceof Refused) throw new WrongUsage(`${seenCheckpoint}: ${error.message}`);
    throw error;
  }
};

/**
 * Computes a verdict from the chain, its proofs, the signer of the checkpoint and the witnesses, in
 * sentences. python/custody_verify.py has a copy of the sentences, so that two verifiers never
 * describe one file differently.
 */

import { disclosedSentences, erasedClause, personalFieldsOf } from '../personal-fields.ts';
import { deviceSentences } from './devices.ts';
import type {
  CompletenessPart,
  HistoryParts,
  HistoryVerdict,
  InvalidVerdict,
  ProofFault,
  WitnessPart,
} from './history-verdict.ts';

/**
 * Returns the verdict on a consistent chain: proven only if a trusted key signed (decision 51) and
 * as many witnesses cosigned as the caller requires.
 */
export const historyVerdict = (parts: HistoryParts): HistoryVerdict => {
  const personal = personalFieldsOf(parts.entries);
  return {
    verdict:
      signerOf(parts) === 'trusted' && isWitnessed(parts.witnesses) ? 'proven' : 'consistent',
    headline: `${headlineOfHistory(parts)}${erasedClause(personal)}.`,
    limit: `${limitOfHistory(parts)}${disclosedSentences(personal)}${deviceSentences(parts.devices)}`,
    orderId: parts.orderId,
    entries: parts.entries.length,
    upTo: parts.entries.at(-1)?.ts_utc ?? null,
    head: parts.head,
    log: parts.log,
    completeness: parts.completeness,
    personal,
    devices: parts.devices,
    ...(parts.witnesses && { witnesses: parts.witnesses }),
  };
};

export const invalidVerdict = ({ at, index, entryId, reason }: ProofFault): InvalidVerdict => ({
  verdict: 'invalid',
  headline: headlineOfFault(at, index),
  limit: limitOfFault,
  at,
  ...(index !== undefined && { index }),
  ...(entryId !== undefined && { entryId }),
  reason,
});

/**
 * Returns the kind of signer of the file's checkpoint; null if the file has neither a log proof nor
 * a completeness proof.
 */
export const signerOf = ({ log, completeness }: Pick<HistoryParts, 'log' | 'completeness'>) =>
  (log ?? completeness)?.signer ?? null;

/**
 * Whether at least as many witnesses cosigned as the caller requires; true if the caller named no
 * witnesses.
 */
export const isWitnessed = (witnesses: WitnessPart | null): boolean =>
  witnesses === null || witnesses.cosigned.length >= witnesses.quorum;

/**
 * Returns the verdict on a consistent chain in one sentence without its period. If the history is
 * not proven, the sentence says why: the signer is unknown, or too few witnesses cosigned.
 */
export const headlineOfHistory = (parts: HistoryParts): string => {
  if (signerOf(parts) !== 'trusted')
    return `Consistent, but the signer is unknown: ${whyUnknown(parts)}`;
  const signed =
    parts.entries.length === 0
      ? 'that the order has no custody entries'
      : 'the checkpoint that covers this history';
  const { witnesses } = parts;
  if (!witnesses) return `Proven: a trusted key signed ${signed}`;
  const cosigned = `${witnesses.cosigned.length} of ${witnesses.given} witnesses cosigned`;
  return isWitnessed(witnesses)
    ? `Proven: a trusted key signed ${signed}, and ${cosigned} it`
    : `Consistent, but ${cosigned} the checkpoint, and ${witnesses.quorum} must`;
};

const whyUnknown = (parts: HistoryParts) => {
  const signer = signerOf(parts);
  if (signer === 'unchecked') return 'this program cannot check signatures';
  if (signer) return 'only a key that the file itself brings signed the checkpoint';
  if (parts.entries.length === 0) return 'the order has no custody entries';
  if (parts.source === 'events') return 'a list of events has no signature';
  return 'no checkpoint covers the last entry';
};

/** Returns the sentence that says what the verdict does not prove (decision 52). */
export const limitOfHistory = (parts: HistoryParts): string =>
  signerOf(parts) === 'trusted' && !isWitnessed(parts.witnesses)
    ? `${limitOfSigned(parts)} Too few witnesses confirm that the log shows everyone the same entries.`
    : limitOfSigned(parts);

const limitOfSigned = ({ entries, log, completeness }: HistoryParts): string => {
  const trusted = signerOf({ log, completeness }) === 'trusted';
  const last = entries.at(-1);
  if (!last)
    return trusted && completeness
      ? `The order had no entries as of ${asOf(completeness)}.`
      : 'Nothing shows whether entries were left out.';
  const covered = `${countOf(entries.length)} up to ${last.ts_utc}`;
  if (!trusted || !log)
    return `Shows ${covered}. Anyone could have made this file, and nothing shows whether later entries were cut off.`;
  if (completeness) return `Covers ${covered}; complete as of ${asOf(completeness)}.`;
  const nextStep = log.indexed
    ? ' The checkpoint carries an order index: ask for a file with a completeness proof.'
    : '';
  return `Covers ${covered}; entries added after checkpoint ${log.treeSize} are not covered. The file alone does not show whether entries after entry ${entries.length} were cut off.${nextStep}`;
};

const asOf = ({ time, treeSize }: CompletenessPart): string =>
  time === null ? `checkpoint ${treeSize}` : `${time} (checkpoint ${treeSize})`;

const countOf = (entries: number): string => (entries === 1 ? '1 entry' : `${entries} entries`);

/**
 * Returns the headline of an invalid file.
 * @param at the member with the error.
 * @param index of the entry with the error, from 0, if known.
 */
export const headlineOfFault = (at: string, index: number | undefined): string =>
  `Invalid: ${whatIsWrong(at, index)}.`;

export const limitOfFault = 'An invalid file proves nothing about the order.';

const whatIsWrong = (at: string, index: number | undefined): string => {
  const entry = index === undefined ? 'the list of entries' : `entry ${index + 1}`;
  if (at === 'entries')
    return `${entry} does not fit: an entry was changed, added, moved or removed`;
  if (at === 'device') return `${entry} was not signed by the device that it names`;
  if (at === 'seen.head') return `${entry} is not the one that was seen before`;
  return wrongMembers.get(at) ?? 'the log is not shown to be the one that was seen before';
};

const notInLog = 'the log proof does not show that the last entry is in the log';

/** What is wrong with a file, by the member with the error. */
const wrongMembers: ReadonlyMap<string, string> = new Map([
  ['form', 'the file is damaged, or it is not a proof file'],
  ['genesis', 'the chain does not begin with the genesis hash of this order'],
  ['count', 'the file has more or fewer entries than it states'],
  ['head_hash', 'the last entry is not the one that the file states'],
  ['log', notInLog],
  ['log.inclusion', notInLog],
  ['log.checkpoint', 'the checkpoint is not a signed state of the log'],
  [
    'completeness',
    'the file does not have the entries that the signed order index says the order has',
  ],
  ['keys', 'the keys in the file cannot be used for this history'],
  ['trusted_keys', 'a trusted key cannot be used for this history'],
  ['witnesses', 'the witnesses or the quorum cannot be used'],
]);

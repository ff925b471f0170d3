import type { HistoryVerdict, InvalidVerdict } from '@pto/custody-verifier';
import type { Block } from '../document.ts';
import { numberOf, textOf } from '../history/members.ts';
import type { Subject } from '../history/subject.ts';
import type { Texts } from '../texts/en.ts';
import { deviationsNotice } from './deviations.ts';

/** Returns the verdict in one sentence, and the limits of what it proves. */
export const verdictSection = (subject: Subject): readonly Block[] => {
  const { texts, verdict } = subject;
  return [
    verdict.verdict === 'invalid' ? invalidNotice(texts, verdict) : historyNotice(texts, verdict),
    deviationsNotice(subject),
    ...limitsOfProof(texts),
  ];
};

const limitsOfProof = (texts: Texts): readonly Block[] => [
  { kind: 'subheading', text: texts.limits.heading },
  {
    kind: 'list',
    items: [
      texts.limits.truth,
      texts.limits.later,
      texts.limits.completeness,
      texts.limits.key,
      texts.limits.file,
    ],
  },
];

const invalidNotice = (
  { verdict: texts }: Texts,
  { at, index, reason }: InvalidVerdict,
): Block => ({
  kind: 'notice',
  tone: 'invalid',
  title: index === undefined ? texts.invalid(textOf(at)) : texts.invalidEntry(index + 1),
  lines: [texts.reason(textOf(reason)), texts.invalidLimit, texts.invalidContent],
});

const historyNotice = (texts: Texts, verdict: HistoryVerdict): Block => {
  const { entries, personal, witnesses } = verdict;
  const erased = personal.erased.length;
  const cosigned = witnesses?.cosigned.length ?? 0;
  const isProven = verdict.verdict === 'proven';
  return {
    kind: 'notice',
    tone: isProven ? 'proven' : 'unproven',
    title: isProven ? provenTitle(texts, verdict) : unprovenTitle(texts, verdict),
    lines: [
      ...(isPending(verdict) ? [texts.verdict.pendingNext] : []),
      ...(isProven && witnesses ? [texts.verdict.witnessed(cosigned, witnesses.given)] : []),
      isProven ? coverage(texts, verdict) : texts.verdict.shows(entries),
      ...(erased > 0 ? [texts.verdict.erased(erased)] : []),
      ...(isProven ? [] : [texts.verdict.unprovenContent]),
    ],
  };
};

const provenTitle = ({ verdict: texts }: Texts, { entries }: HistoryVerdict): string =>
  entries === 0 ? texts.provenEmpty : texts.proven;

const isPending = ({ entries, log, completeness }: HistoryVerdict): boolean =>
  entries > 0 && log === null && completeness === null;

const unprovenTitle = ({ verdict: texts }: Texts, verdict: HistoryVerdict): string => {
  const { log, completeness, witnesses, entries } = verdict;
  const signer = (log ?? completeness)?.signer;
  if (signer === undefined) return entries === 0 ? texts.empty : texts.pending;
  if (signer === 'unchecked') return texts.unchecked;
  if (signer === 'trusted' && witnesses)
    return texts.witnesses(witnesses.cosigned.length, witnesses.quorum);
  return texts.unknownSigner;
};

const coverage = (texts: Texts, { entries, completeness }: HistoryVerdict): string => {
  if (!completeness) return texts.verdict.incomplete(entries);
  const { treeSize, time } = completeness;
  const asOf = texts.verdict.checkpoint(
    String(numberOf(treeSize)),
    time === null ? '' : texts.time(time),
  );
  return texts.verdict.complete(entries, asOf);
};

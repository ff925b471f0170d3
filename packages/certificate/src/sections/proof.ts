import type { Block, Fact } from '../document.ts';
import { listOf, membersOf, textOf } from '../history/members.ts';
import type { Subject } from '../history/subject.ts';
import { joined } from './table.ts';

/** Returns the data that identify the proof file, and the QR code of the verification page, if any. */
export const proofSection = (subject: Subject, verifyUrl: string | null): readonly Block[] => {
  const { texts } = subject;
  const [above, below] = texts.proof.qrLines;
  return [
    { kind: 'heading', text: texts.proof.heading },
    { kind: 'paragraph', text: texts.proof.attached },
    { kind: 'facts', facts: proofFacts(subject) },
    ...(verifyUrl === null
      ? []
      : [
          {
            kind: 'qr' as const,
            url: verifyUrl,
            name: texts.proof.qr,
            lines: [above, textOf(verifyUrl), below, texts.limits.file],
          },
        ]),
  ];
};

const proofFacts = (subject: Subject): Fact[] => {
  const { texts, proof, entries, verdict } = subject;
  const words = texts.proof;
  const log = membersOf(proof.log);
  const signed = verdict.verdict === 'invalid' ? null : (verdict.log ?? verdict.completeness);
  const checkpoint = proof.log
    ? [
        { label: words.origin, value: textOf(log.origin) },
        { label: words.size, value: textOf(log.tree_size) },
        { label: words.leaf, value: textOf(log.leaf_index) },
      ]
    : [{ label: words.size, value: entries.length === 0 ? texts.none : words.noLog }];
  const keys = listOf(proof.keys).map((value) => {
    const { vkey, valid_from, valid_until } = membersOf(value);
    const until = textOf(valid_until);
    const from = texts.time(textOf(valid_from));
    return words.key(textOf(vkey), from, until === '' ? '' : texts.time(until));
  });
  const facts = [
    { label: words.entries, value: String(entries.length) },
    { label: words.head, value: textOf(proof.head_hash) },
    ...checkpoint,
    { label: words.completeness, value: completenessText(subject) },
    { label: words.trustedKey, value: signed?.signer === 'trusted' ? textOf(signed.key) : '' },
    { label: words.keys, value: joined(texts, keys) },
  ];
  return facts.filter(({ value }) => value !== '');
};

/** Only a trusted key's statement counts as a number of entries. */
const completenessText = ({ texts, proof, verdict }: Subject): string => {
  const words = texts.proof;
  if (!proof.completeness) return words.noCompleteness;
  return verdict.verdict !== 'invalid' && verdict.completeness?.signer === 'trusted'
    ? words.hasCompleteness(verdict.entries)
    : words.otherCompleteness;
};

import type { Block } from '../document.ts';
import type { Entry } from '../history/entries.ts';
import { listOf, membersOf, numberOf, textOf } from '../history/members.ts';
import type { Subject } from '../history/subject.ts';
import type { Picture } from '../input.ts';
import type { Texts } from '../texts/en.ts';
import { personalText } from './personal-text.ts';
import { joined, tableOf, wordOf } from './table.ts';

/** Returns the handovers: from whom to whom, when, where, and with which evidence. */
export const handoversSection = ({
  texts,
  entries,
  order,
  pictures,
}: Subject): readonly Block[] => {
  const handovers = entries.filter(({ internalType }) => internalType === 'HANDOVER_RECORDED');
  const heading: Block = { kind: 'heading', text: texts.handovers.heading };
  if (handovers.length === 0) return [heading, { kind: 'paragraph', text: texts.handovers.none }];
  const form = {
    name: texts.handovers.heading,
    headings: texts.handovers.columns,
    shares: [0.16, 0.2, 0.18, 0.18, 0.28],
  };
  const sealsOfOrder = listOf(order.items).map((item) => membersOf(item).seal_id);
  const sealings = entries.filter(({ internalType }) => internalType === 'SEAL_APPLIED');
  const appliedBefore = ({ number }: Entry): readonly unknown[] => {
    const sealing = sealings.findLast((one) => one.number < number);
    return sealing ? listOf(sealing.payload.seal_ids) : sealsOfOrder;
  };
  return [
    heading,
    ...tableOf(texts, form, handovers, (entry) => [
      [String(entry.number), wordOf(texts.stages, textOf(entry.payload.stage))],
      [texts.time(entry.at), ...placeLines(texts, entry)],
      partyLines(texts, entry, 'from'),
      partyLines(texts, entry, 'to'),
      evidenceLines(texts, entry, appliedBefore(entry)),
    ]),
    ...handovers.flatMap((entry) => picturesOf(texts, entry, pictures)),
  ];
};

/** Returns the picture of a handover, if it was given. */
const picturesOf = (
  texts: Texts,
  { number, payload }: Entry,
  pictures: readonly Picture[],
): readonly Block[] => {
  const { sha256 } = membersOf(payload.artifact);
  const picture = pictures.find((one) => one.sha256 === sha256);
  if (!picture) return [];
  const stage = wordOf(texts.stages, textOf(payload.stage));
  const methods = listOf(payload.methods)
    .filter((method) => method === 'signature' || method === 'photo')
    .map((method) => wordOf(texts.methods, textOf(method)));
  const name = texts.handovers.picture(number, [stage, ...methods].join(', '));
  const [{ content }, notShown] = [picture, texts.handovers.pictureNotShown];
  return [{ kind: 'picture', name, lines: [`SHA-256 ${picture.sha256}`], content, notShown }];
};

const placeLines = (texts: Texts, { payload, position }: Entry): string[] => {
  const lines = [textOf(payload.place), position?.join(', ') ?? ''].filter(Boolean);
  return lines.length > 0 ? lines : [texts.handovers.noPlace];
};

const partyLines = (texts: Texts, entry: Entry, side: 'from' | 'to'): string[] => {
  const { party, role } = membersOf(entry.payload[side]);
  const person = personalText(texts, entry, `${side}_person`);
  return [
    textOf(party),
    wordOf(texts.roles, textOf(role)),
    ...(person === null ? [] : [texts.handovers.person(person)]),
  ].filter(Boolean);
};

const evidenceLines = (texts: Texts, entry: Entry, applied: readonly unknown[]): string[] => {
  const { methods, scanned_seal_ids, artifact } = entry.payload;
  const { sha256, media_type, size, kept_until } = membersOf(artifact);
  const words = texts.handovers;
  return [
    joined(
      texts,
      listOf(methods).map((method) => wordOf(texts.methods, textOf(method))),
    ),
    ...sealLines(texts, scanned_seal_ids, applied),
    ...(sha256 === undefined
      ? []
      : [words.artifact(textOf(media_type), numberOf(size) ?? 0), textOf(sha256)]),
    ...(textOf(kept_until) === '' ? [] : [words.keptUntil(texts.time(textOf(kept_until)))]),
  ].filter(Boolean);
};

const sealLines = (texts: Texts, scanned: unknown, appliedIds: readonly unknown[]): string[] => {
  const words = texts.handovers;
  if (!Array.isArray(scanned)) return [words.notScanned];
  const found = new Set(scanned.map(textOf));
  const applied = new Set(appliedIds.map(textOf).filter(Boolean));
  if (applied.size === 0) return [words.sealsUncompared(joined(texts, [...found]))];
  const missing = [...applied].filter((id) => !found.has(id));
  const unexpected = [...found].filter((id) => !applied.has(id));
  if (missing.length + unexpected.length === 0) return [words.sealsMatch(found.size)];
  return differenceLines(texts, missing, unexpected);
};

/** Returns the missing and the unexpected seals, one line each. */
export const differenceLines = (
  texts: Texts,
  missing: readonly string[],
  unexpected: readonly string[],
): string[] => [
  ...(missing.length > 0 ? [texts.handovers.missing(joined(texts, missing))] : []),
  ...(unexpected.length > 0 ? [texts.handovers.unexpected(joined(texts, unexpected))] : []),
];

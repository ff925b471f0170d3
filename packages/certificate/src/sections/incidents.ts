import { incidentEntries } from '@pto/proto/order-commands';
import type { Block } from '../document.ts';
import { unitOf } from '../history/conditions.ts';
import type { Entry } from '../history/entries.ts';
import { listOf, numberOf, textOf } from '../history/members.ts';
import type { Subject } from '../history/subject.ts';
import { duration } from '../texts/clock-time.ts';
import type { Texts } from '../texts/en.ts';
import { differenceLines } from './handovers.ts';
import { limitsText } from './limits-text.ts';
import { personalText } from './personal-text.ts';
import { tableOf, wordOf } from './table.ts';

/** Returns the incidents (reports, escalations, differences of seals, excursions) and how they ended. */
export const incidentsSection = ({ texts, entries }: Subject): readonly Block[] => {
  const heading: Block = { kind: 'heading', text: texts.incidents.heading };
  const incidents = entries.filter(({ internalType }) => incidentEntries.has(internalType));
  if (incidents.length === 0) return [heading, { kind: 'paragraph', text: texts.incidents.none }];
  const form = {
    name: texts.incidents.heading,
    headings: texts.incidents.columns,
    shares: [0.1, 0.22, 0.25, 0.43],
  };
  return [
    heading,
    ...tableOf(texts, form, incidents, (entry) => [
      [String(entry.number)],
      [texts.time(entry.at)],
      [wordOf(texts.events, entry.internalType)],
      [...detailLines(texts, entry), endOf(texts, entries, entry)],
    ]),
  ];
};

/** Says which entry resolved an incident (decision 88). */
const endOf = (texts: Texts, entries: readonly Entry[], { number }: Entry): string => {
  const end = entries.find(
    ({ internalType, payload }) =>
      internalType === 'INCIDENT_RESOLVED' && numberOf(payload.incident) === number,
  );
  return end ? texts.incidents.resolved(end.number, texts.time(end.at)) : texts.incidents.open;
};

const detailLines = (texts: Texts, entry: Entry): string[] => {
  const { internalType, payload } = entry;
  if (internalType === 'SEAL_MISMATCH') {
    const [missing, unexpected] = [payload.missing_seal_ids, payload.unexpected_seal_ids].map(
      (ids) => listOf(ids).map(textOf),
    ) as [string[], string[]];
    const stage = wordOf(texts.stages, textOf(payload.stage));
    return [stage, ...differenceLines(texts, missing, unexpected)];
  }
  if (internalType === 'TEMPERATURE_EXCURSION') return excursionLines(texts, entry);
  const { kind, kinds, severity, severities } = texts.incidents;
  return [
    ...(payload.kind === undefined ? [] : [`${kind}: ${wordOf(kinds, textOf(payload.kind))}`]),
    ...(payload.severity === undefined
      ? []
      : [`${severity}: ${wordOf(severities, textOf(payload.severity))}`]),
    ...['note', 'asks', 'asked_by'].map((field) => personalText(texts, entry, field) ?? ''),
    textOf(payload.place),
  ].filter(Boolean);
};

const excursionLines = (texts: Texts, { payload }: Entry): string[] => {
  const unit = unitOf(payload.unit);
  const [low, high] = [payload.minimum, payload.maximum].map((value) => {
    const number = numberOf(value);
    return number === null ? texts.unknown : texts.temperature(number, unit);
  }) as [string, string];
  const limits = limitsText(texts, numberOf(payload.limit_min), numberOf(payload.limit_max));
  const seconds = numberOf(payload.excursion_seconds) ?? 0;
  const range = texts.conditions.between(low, high);
  return [
    texts.incidents.excursion(range, numberOf(payload.excursion_count) ?? 0, duration(seconds)),
    `${texts.conditions.limits}: ${limits || texts.conditions.noLimits}`,
    `${texts.time(textOf(payload.from))} – ${texts.time(textOf(payload.to))}`,
  ];
};

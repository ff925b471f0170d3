/** German words for the values of vocabularies and the types of entries: those of the certificate. */
import { de } from '@pto/certificate/german';
import { titleOfType } from '@pto/custody-verifier/entry-title';
import type { Words } from '../../parts/words.ts';

/** A value as `wordOf` writes it. */
const keyed = (of: Words): Words =>
  Object.fromEntries(
    Object.entries(of).map(([code, word]) => [code.replaceAll('_', ' ').toLowerCase(), word]),
  );

export const codes: Words = {
  ...keyed(de.fields),
  ...keyed(de.statuses),
  ...keyed(de.slas),
  ...keyed(de.roles),
  ...keyed(de.stages),
  ...keyed(de.methods),
  ...keyed(de.incidents.kinds),
  ...keyed(de.incidents.severities),
  ...Object.fromEntries(
    Object.entries(de.events).map(([type, title]) => [titleOfType(type) ?? type, title]),
  ),
};

import { reject } from '../reject.ts';

/** Names that start programs, load files or hide content (ISO 32000-1, 12.6, 12.7.8, 7.6, 7.11). */
const forbidden: ReadonlySet<string> = new Set([
  'AA',
  'EmbeddedFile',
  'Encrypt',
  'ImportData',
  'JS',
  'JavaScript',
  'Launch',
  'RichMedia',
  'SubmitForm',
  'XFA',
]);

/**
 * Returns a name without its slash, with `#xx` escapes decoded.
 *
 * Escapes of letters and digits are rejected: they only disguise a name. Others are necessary, such
 * as the space in `Times#20New#20Roman`.
 * @throws Failure for a forbidden or disguised name.
 */
export const permittedName = (token: string): string => {
  const name = token.includes('#') ? decoded(token.slice(1)) : token.slice(1);
  if (forbidden.has(name))
    reject(`the PDF contains /${name}, which is not permitted: print the document to a new PDF`);
  return name;
};

const decoded = (name: string): string =>
  name.replace(/#([0-9A-Fa-f]{2})/g, (_, hex) => {
    const char = String.fromCharCode(Number.parseInt(hex, 16));
    if (/[A-Za-z0-9]/.test(char))
      reject(`the PDF writes the letter ${char} of a name as #${hex}: print it to a new PDF`);
    return char;
  });

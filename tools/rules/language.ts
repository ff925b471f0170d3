/** The words that docs/glossary.md replaces, and where they may stay. */

interface Rule {
  /** Matched against lines whose camelCase names are split into words. */
  readonly find: RegExp;
  readonly use: string;
}

/** Matches whole words; `-` and `_` end a word, so names of files and variables are found, too. */
const words = (pattern: string): RegExp =>
  new RegExp(`(?<![A-Za-z])(?:${pattern})(?![A-Za-z])`, 'gi');

const passive = '(?:is|are|was|were|be|been|being)';

const rules: readonly Rule[] = [
  { find: words('doors?|doorkeepers?'), use: 'public route, or name the server' },
  { find: words('(?<!in[ _-])flights?|flown|in the air'), use: 'in-flight attempt' },
  { find: words('hold[ _-]refused|release[ _-]refused'), use: 'quarantine, requeue' },
  { find: words('conclu(?:des?|ded|sions?)'), use: 'respond, responder' },
  { find: words('pulses?'), use: 'wake signal' },
  {
    find: words('(?:with|read|no) Circumstances|circumstances\\.(?:ts|test)'),
    use: 'command metadata',
  },
  { find: words('(?:the|a|whole|running|started) mesh'), use: 'local stack' },
  { find: words('anew'), use: 'again' },
  { find: words('mend(?:s|ed|ing)?'), use: 'fix' },
  { find: words('owed'), use: 'due' },
  { find: words(`${passive} told`), use: 'report, receive' },
  { find: words(`${passive} asked`), use: 'request, receive' },
  {
    find: words(`(?:${passive}|goes|went|stays|stayed|bus|store|kafka|redis) away`),
    use: 'unavailable',
  },
  { find: words('by itself'), use: 'automatically, or name the actor' },
  { find: words('whoever|whomever'), use: 'a noun that names the actor' },
  { find: words('organisations?'), use: 'organization' },
  { find: words('behaviours?'), use: 'behavior' },
  { find: words('honour(?:s|ed|ing)?'), use: 'honor' },
  { find: words('colour(?:s|ed|ing)?'), use: 'color' },
  { find: words('thrice'), use: 'three times' },
  { find: words('holes?'), use: 'gap' },
  { find: words('twins?'), use: 'concurrent request' },
  { find: words('for ever'), use: 'forever' },
  { find: words('(?:can|could|cannot|not) be had'), use: 'available' },
  {
    find: words('(?:authoris|normalis|serialis|recognis|materialis)[a-z]+'),
    use: 'the spelling with z',
  },
];

/** Text that nobody here writes or may change. */
const excluded: readonly RegExp[] = [
  /^docs\/glossary\.md$/, // names the replaced words
  /^CHANGELOG\.md$/, // history
  /\/migrations\//, // never edited once landed
  /^proto\/gen\//, // generated
  /^e2e\/(?:test\/)?chaos\//,
  /\/german\//, // another language
  /^tools\/(?:rules\/language|test\/rules\/language)/, // names the replaced words
];

const suffix = /\.(?:ts|md|ya?ml|proto|sh|tpl)$/;

/** Returns whether the check reads this file. */
export const isChecked = (path: string): boolean =>
  suffix.test(path) && !excluded.some((one) => one.test(path));

const prepared = (line: string): string => line.replace(/([a-z0-9])([A-Z])/g, '$1 $2');

/** Returns the violations of one file as `path:line: "word": use "standard term"`. */
export const languageViolations = (path: string, text: string): string[] => {
  const lines = [path, ...text.split('\n')];
  return lines.flatMap((line, number) =>
    rules.flatMap(({ find, use }) =>
      [...prepared(line).matchAll(find)].map(
        ([word]) => `${path}:${number}: "${word}": use "${use}"`,
      ),
    ),
  );
};

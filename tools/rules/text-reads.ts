/**
 * Where the command lines read files and decode bytes: `packages/terminal/src/read-text.ts` alone,
 * which rejects what is not UTF-8. Node's own decoders replace it by U+FFFD, so that another text is
 * sent.
 */

/** The files that may do so themselves, each with one reason for each line that does. */
export const textReads: Readonly<Record<string, readonly string[]>> = {
  'clients/command-line/src/certify/verify-command.ts': ['the output of a program, which is shown'],
  'clients/command-line/src/commands/proof.ts': ['bytes that are judged'],
  'clients/command-line/src/keyring.ts': [
    'the output of a program of our own',
    'the input of that program',
  ],
  'clients/command-line/src/listen/post.ts': ["a receiver's response, which is shown"],
  'operator/src/commands/delivery.ts': ['a stored body, which is shown'],
  'operator/src/commands/evidence.ts': ['bytes that are sent unchanged'],
};

/** Whether the rule applies: to both command lines, not to tests. */
export const isChecked = (path: string): boolean =>
  /^(?:clients\/command-line|operator|packages\/terminal)\/src\/.*\.ts$/.test(path) &&
  path !== 'packages/terminal/src/read-text.ts';

const decodes =
  /['"](?:utf-?8|latin1|ascii|utf16le)['"]|\bTextDecoder\b|\bStringDecoder\b|\btoString\(\)|stream\/consumers|\b(?:readFile(?:Sync)?|createReadStream)\(/i;
const comment = /^\s*(?:\*|\/\*|\/\/)/;

/** Returns the lines of a file that read or decode bytes, if they are more or fewer than its reasons. */
export const textReadViolations = (path: string, source: string): string[] => {
  const lines = source
    .split('\n')
    .flatMap((text, n) => (decodes.test(text) && !comment.test(text) ? [n + 1] : []));
  const reasons = Object.hasOwn(textReads, path) ? textReads[path]!.length : 0;
  if (lines.length === reasons) return [];
  return [
    `${path}:${lines.join(',')}: ${lines.length} lines read or decode bytes, and tools/rules/text-reads.ts has ${reasons} reasons. Read a text by @pto/terminal, which rejects what is not UTF-8`,
  ];
};

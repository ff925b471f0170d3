import { appendFileSync, writeFileSync } from 'node:fs';

const longest = 4000;

/** Text that no transcript has: keys, tokens, secrets, and passwords of URLs. */
const secrets = /\b(?:svc_(?:live|test)_|whsec_|opt_)\w+|(?<=:\/\/[^\s:@/]*:)[^\s@/]+(?=@)/g;

/** Opens the file of a transcript. Its lines are printed as well, unless `shown` is false. */
export const openTranscript = (path: string) => {
  writeFileSync(path, '');
  return {
    write: (line: string, { shown = true } = {}): void => {
      const safe = line.replaceAll(secrets, '[redacted]');
      const text = safe.length > longest ? `${safe.slice(0, longest)} …` : safe;
      appendFileSync(path, `${text}\n`);
      if (shown) process.stdout.write(`${text}\n`);
    },
  };
};

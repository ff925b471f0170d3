import type { Mutant } from '../../../tools/mutants/mutant.ts';

/** Safety mechanisms whose loss a test of this workspace must notice (`npm run mutants`). */
export const mutants: readonly Mutant[] = [
  {
    name: 'certificate-escape',
    mechanism: 'A text of the order or of an entry is no markup in the HTML certificate',
    file: 'packages/certificate/src/html/escape.ts',
    original: `text.replace(/[&<>"']/g, (character) => references[character]!);`,
    broken: 'text;',
    tests: ['certificate/test/certificate-html'],
  },
  {
    name: 'certificate-verdict',
    mechanism: 'A certificate has a positive verdict for a proven history alone',
    file: 'packages/certificate/src/sections/verdict.ts',
    original: "const isProven = verdict.verdict === 'proven';",
    broken: 'const isProven = true;',
    tests: ['certificate/test/verdicts'],
  },
  {
    name: 'certificate-same-order',
    mechanism: 'A certificate is made only of an order, its own proof and the verdict on it',
    file: 'packages/certificate/src/history/subject.ts',
    original: 'if (inProof !== expected)',
    broken: 'if (false)',
    tests: ['certificate/test/verdicts'],
  },
  {
    name: 'certificate-picture-bound',
    mechanism: 'A PNG picture is decompressed to no more bytes than its pixels have',
    file: 'packages/certificate/src/pdf/flatten-png.ts',
    original: ', { maxOutputLength }',
    broken: '',
    tests: ['certificate/test/pictures'],
    named: 'takes the memory of its two pixels',
  },
];

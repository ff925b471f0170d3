import type { Mutant } from '../../../tools/mutants/mutant.ts';

/** Safety mechanisms whose loss a test of this workspace must notice (`npm run mutants`). */
export const mutants: readonly Mutant[] = [
  {
    name: 'pdf-hidden-objects',
    mechanism: 'A PDF with an object inside of a stream, string or comment is rejected',
    file: 'packages/artifacts/src/inspection/pdf/pdf.ts',
    original: '  checkHiddenObjects(bytes, body);\n',
    broken: '',
    tests: ['artifacts/test/inspection/pdf/structure'],
    named: 'hides in a',
  },
  {
    name: 'erase-versions',
    mechanism: 'Erasing an artifact in a bucket deletes its versions, not the newest one alone',
    file: 'packages/artifacts/src/store/bucket.ts',
    original: 'return [...Versions, ...DeleteMarkers].filter(',
    broken: 'return Versions.filter((version) => version.IsLatest).filter(',
    tests: ['artifacts/test/store/bucket'],
    named: 'removes all versions',
  },
  {
    name: 'pdf-inflated-bound',
    mechanism: 'The object streams of a PDF have at most 32 MiB in total when decompressed',
    file: 'packages/artifacts/src/inspection/pdf/object-streams.ts',
    original: '    left -= objects.length;\n',
    broken: '',
    tests: ['artifacts/test/inspection/pdf/object-streams'],
    named: '32 MiB in total',
  },
];

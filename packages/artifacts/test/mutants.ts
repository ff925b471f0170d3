import type { Mutant } from '../../../tools/mutants/mutant.ts';

/** Safety mechanisms whose loss a test of this workspace must notice (`npm run mutants`). */
export const mutants: readonly Mutant[] = [
  {
    name: 'artifact-type',
    mechanism: 'An artifact is of the media type that it declares',
    file: 'packages/artifacts/src/inspect-artifact.ts',
    original: 'if ((await typeOf(bytes)) !== mediaType)',
    broken: 'if (!mediaType)',
    tests: ['artifacts/test/inspect-artifact'],
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
];

import type { Mutant } from '../../../tools/mutants/mutant.ts';

/** Safety mechanisms whose loss a test of this workspace must notice (`npm run mutants`). */
export const mutants: readonly Mutant[] = [
  {
    name: 'export-event-id',
    mechanism: "The id of an EPCIS event is that of GS1's reference implementation",
    file: 'packages/exports/src/epcis/event-id.ts',
    original: "texts.toSorted().join('')",
    broken: "texts.join('')",
    tests: ['exports/test/epcis/gs1'],
  },
  {
    name: 'export-payload-version',
    mechanism: 'A payload of a later version is not read as one of this version',
    file: 'packages/exports/src/payloads.ts',
    original: 'payload?.v === version',
    broken: 'payload?.v !== null',
    tests: ['exports/test/epcis/document'],
  },
  {
    name: 'export-erased-value',
    mechanism: 'A personal field that is not disclosed is `erased` in an export',
    file: 'packages/exports/src/payloads.ts',
    original: "return 'erased';",
    broken: 'return field;',
    tests: ['exports/test/fhir/bundle'],
  },
];

import type { Mutant } from '../../../tools/mutants/mutant.ts';

/** Safety mechanisms whose loss a test of this workspace must notice (`npm run mutants`). */
export const mutants: readonly Mutant[] = [
  {
    name: 'sealed-context',
    mechanism: 'Sealed bytes cannot be decrypted in another context',
    file: 'packages/sealing/src/seal.ts',
    original: '    .setAAD(Buffer.from(context))\n',
    broken: "    .setAAD(Buffer.from('a'))\n",
    tests: ['packages/sealing/test'],
    named: 'in their context',
  },
];

import type { Mutant } from '../../../tools/mutants/mutant.ts';

/** Safety mechanisms whose loss a test of this workspace must notice (`npm run mutants`). */
export const mutants: readonly Mutant[] = [
  {
    name: 'webhook-signature-length',
    mechanism: 'A webhook signature of another length is rejected',
    file: 'verifiers/webhook-verifier/src/verify-signature.ts',
    original:
      'if (!/^[0-9a-f]{64}$/.test(value)) return null;\n    signatures.push(hexBytes(value));',
    broken:
      'if (!/^[0-9a-f]{64}/.test(value)) return null;\n    signatures.push(hexBytes(value.slice(0, 64)));',
    tests: ['webhook-verifier/test/forged-or-stale'],
  },
];

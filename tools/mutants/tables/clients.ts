import type { Mutant } from '../mutant.ts';

/** What the TypeScript client refuses to do with its key. */
export const clientMutants: readonly Mutant[] = [
  {
    name: 'client-ids',
    mechanism: 'An id that is not a UUID makes no path',
    file: 'clients/typescript/src/http/operation.ts',
    original: "if (typeof id !== 'string' || !uuidForm.test(id))",
    broken: "if (typeof id !== 'string')",
    tests: ['clients/typescript/test/nothing-is-sent'],
  },
  {
    name: 'client-https',
    mechanism: 'A key is not sent over http to another host',
    file: 'clients/typescript/src/http/base-url.ts',
    original: '!loopback.test(url.hostname)',
    broken: '!loopback.test(url.hostname.slice(0, 9))',
    tests: ['clients/typescript/test/nothing-is-sent'],
  },
  {
    name: 'client-redirects',
    mechanism: 'A key does not follow a redirect',
    file: 'clients/typescript/src/http/http.ts',
    original: "redirect: 'manual' as const",
    broken: "redirect: 'follow' as const",
    tests: ['clients/typescript/test/calls'],
  },
  {
    name: 'client-cursor',
    mechanism: 'A list whose server repeats a cursor of any earlier page ends with an error',
    file: 'clients/typescript/src/pages.ts',
    original:
      'const given = new Set<string>();\n    let cursor: string | null | undefined;\n    do {',
    broken:
      'let given = new Set<string>();\n    let cursor: string | null | undefined;\n    do {\n      if (given.size > 1) given = new Set<string>();',
    tests: ['clients/typescript/test/lists'],
  },
  {
    name: 'client-headers',
    mechanism: 'An idempotency key that no header holds is refused before it is sent',
    file: 'clients/typescript/src/http/http.ts',
    original: '!/^[\\x21-\\x7e]{1,255}$/.test(idempotencyKey)',
    broken: "idempotencyKey === ''",
    tests: ['clients/typescript/test/nothing-is-sent'],
  },
];

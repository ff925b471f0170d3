import type { Mutation } from './mutation.ts';

/** A mutant that no test can kill, because the code behaves the same with it. */
export interface Equivalent {
  readonly file: string;
  /** The line that it begins in, without the spaces around it. */
  readonly text: string;
  readonly original: string;
  readonly replacement: string;
  readonly why: string;
}

export const equivalents: readonly Equivalent[] = [
  {
    file: 'services/custody/src/chain/encode-custody-event.ts',
    text: "return start + bytes.write(hash, start, 'latin1');",
    original: "'latin1'",
    replacement: '""',
    why: 'without an encoding Buffer writes UTF-8, and hexadecimal digits have the same bytes in it',
  },
  {
    file: 'services/webhooks/src/handshake/verdict.ts',
    text: '} catch {',
    original: '{\n    return undefined;\n  }',
    replacement: '{}',
    why: 'a function that ends without a return returns undefined',
  },
];

export const isEquivalent = (mutation: Mutation): boolean =>
  equivalents.some((one) =>
    (['file', 'text', 'original', 'replacement'] as const).every(
      (part) => one[part] === mutation[part],
    ),
  );

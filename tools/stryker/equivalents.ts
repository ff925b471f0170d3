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
    file: 'services/webhooks/src/egress/addresses/allowed-ranges.ts',
    text: "const { address = '', bits, port } = found ?? {};",
    original: "''",
    replacement: '"Stryker was here!"',
    why: 'neither text is an address',
  },
  {
    file: 'services/orders/src/domain/command-metadata.ts',
    text: 'return previous !== null && previous > current ? previous : current;',
    original: 'previous !== null',
    replacement: 'true',
    why: 'null is not greater than a text',
  },
  {
    file: 'services/orders/src/domain/command-metadata.ts',
    text: 'return previous !== null && previous > current ? previous : current;',
    original: 'previous > current',
    replacement: 'previous >= current',
    why: 'equal times are the same text',
  },
  {
    file: 'services/orders/src/domain/command-metadata.ts',
    text: 'if (previous !== null && at < previous)',
    original: 'previous !== null',
    replacement: 'true',
    why: 'no text is less than null',
  },
  {
    file: 'services/custody/src/chain/link.ts',
    text: 'payload: payload === null ? null : JSON.parse(payload),',
    original: 'payload === null',
    replacement: 'false',
    why: 'JSON.parse(null) is null',
  },
  {
    file: 'services/gateway/src/limits/byte-budget.ts',
    text: 'if (bytes === null) return;',
    original: 'bytes === null',
    replacement: 'false',
    why: 'a sum and Math.max take null as 0',
  },
  {
    file: 'services/gateway/src/limits/sliding-window.ts',
    text: 'const times = timesOf.get(name) ?? [];',
    original: '[]',
    replacement: '["Stryker was here"]',
    why: 'a text is no time in the window and is removed two lines later',
  },
  {
    file: 'services/gateway/src/limits/sliding-window.ts',
    text: 'nextInMs: used < limit ? 0 : until(times[used - limit]),',
    original: 'used < limit',
    replacement: 'false',
    why: 'below the limit the index is negative, and until(undefined) is 0',
  },
  {
    file: 'services/orders/src/orders/cursor.ts',
    text: "const [createdAt = '', id = ''] = body.subarray(filtersBytes).toString().split('|');",
    original: "''",
    replacement: '"Stryker was here!"',
    why: 'a body that this service has signed has both parts',
  },
  {
    file: 'services/orders/src/orders/cursor.ts',
    text: 'bytes.length > macBytes + filtersBytes &&',
    original: 'bytes.length > macBytes + filtersBytes',
    replacement: 'bytes.length >= macBytes + filtersBytes',
    why: 'this service signs no body without a position',
  },
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

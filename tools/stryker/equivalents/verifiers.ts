import type { Equivalent } from './equivalent.ts';

export const ofVerifiers: readonly Equivalent[] = [
  {
    file: 'verifiers/custody-verifier/src/bytes/hex.ts',
    text: 'for (let n = 0; n < bytes.length; n++)',
    original: 'n < bytes.length',
    replacement: 'n <= bytes.length',
    why: 'a write beyond the end of a typed array has no effect',
  },
  {
    file: 'verifiers/custody-verifier/src/bytes/hex.ts',
    text: 'return code < 0x40 ? code - 0x30 : code - 0x57;',
    original: 'code < 0x40',
    replacement: 'code <= 0x40',
    why: '0x40 is no digit, and the caller has checked the text',
  },
  {
    file: 'verifiers/custody-verifier/src/canonical-json.ts',
    text: `if (isPlain(text)) return \`"\${text}"\`;`,
    original: 'isPlain(text)',
    replacement: 'false',
    why: 'JSON.stringify writes a plain text in the same way, slower',
  },
  {
    file: 'verifiers/custody-verifier/src/canonical-json.ts',
    text: 'for (let n = 0; n < text.length; n++) {',
    original: 'n < text.length',
    replacement: 'n <= text.length',
    why: 'NaN, the code beyond the end, is in none of the ranges',
  },
  {
    file: 'verifiers/custody-verifier/src/canonical-json.ts',
    text: 'if (code < 0x20 || code > 0x7e || code === 0x22 || code === 0x5c) return false;',
    original: 'code < 0x20 || code > 0x7e || code === 0x22 || code === 0x5c',
    replacement: 'true',
    why: 'JSON.stringify writes a plain text in the same way, slower',
  },
  {
    file: 'verifiers/custody-verifier/src/canonical-json.ts',
    text: 'if (code < 0x20 || code > 0x7e || code === 0x22 || code === 0x5c) return false;',
    original: 'code < 0x20',
    replacement: 'code <= 0x20',
    why: 'JSON.stringify writes a space in the same way',
  },
  {
    file: 'verifiers/custody-verifier/src/canonical-json.ts',
    text: 'if (code < 0x20 || code > 0x7e || code === 0x22 || code === 0x5c) return false;',
    original: 'code > 0x7e',
    replacement: 'code >= 0x7e',
    why: 'JSON.stringify writes a tilde in the same way',
  },
  {
    file: 'verifiers/custody-verifier/src/hash/sha256-node.ts',
    text: 'for (let n = 0; n < 32; n++) digest[n] = characters.charCodeAt(n);',
    original: 'n < 32',
    replacement: 'n <= 32',
    why: 'a write beyond the end of a typed array has no effect',
  },
  {
    file: 'verifiers/custody-verifier/src/hash/sha256.ts',
    text: 'const fraction = (value: number): number => Math.floor((value - Math.floor(value)) * 2 ** 32);',
    original: 'value - Math.floor(value)',
    replacement: 'value + Math.floor(value)',
    why: 'typed arrays store the low 32 bits, which the whole part does not reach',
  },
];

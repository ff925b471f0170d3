/** Files that are odd in one way each, and the verdict that every verifier must give. */
import { keyId } from '../../src/note/vkey.ts';
import { entries, orderId, type Unlinked } from '../samples/a-proof.ts';
import { origin } from '../samples/a-signed-log.ts';
import { type Change, emptyOrder, resigned } from './resigned.ts';

export interface Odd {
  readonly name: string;
  readonly verdict: 'proven' | 'invalid';
  readonly proof: Uint8Array;
  /** A copy of /custody/keys.json. */
  readonly keys: Uint8Array;
  /** Whether the oddity is in the JSON of `keys`, which only the commands read. */
  readonly isOfKeysFile: boolean;
}

const bytes = (text: string | Uint8Array): Uint8Array => Buffer.from(text);
const good = resigned();
const text = JSON.stringify(good);
const keysText = (keys: unknown = good.keys) => JSON.stringify({ origin, keys });

const odd = (
  verdict: Odd['verdict'],
  name: string,
  proof: string | Uint8Array,
  keys: string | Uint8Array = keysText(),
): Odd => ({ name, verdict, proof: bytes(proof), keys: bytes(keys), isOfKeysFile: false });

/** The text of the good file with one change. */
const replaced = (verdict: Odd['verdict'], name: string, find: string, by: string): Odd => {
  if (!text.includes(find)) throw new Error(`${find} is not in the file`);
  return odd(verdict, name, text.replace(find, by));
};

/** A file of this content, signed by a key that is trusted. */
const signed = (verdict: Odd['verdict'], name: string, change: Change): Odd => {
  const proof = resigned(change);
  return odd(verdict, name, JSON.stringify(proof), keysText(proof.keys));
};

const ofKeys = (verdict: Odd['verdict'], name: string, keys: string | Uint8Array): Odd => ({
  ...odd(verdict, name, text, keys),
  isOfKeysFile: true,
});

const utf16 = (written: string): Uint8Array => Buffer.from(`\uFEFF${written}`, 'utf16le');

const encodings: readonly Odd[] = [
  odd('proven', 'the file as it is', text),
  odd('proven', 'a byte order mark', `\uFEFF${text}`),
  odd('invalid', 'two byte order marks', `\uFEFF\uFEFF${text}`),
  odd('invalid', 'a byte order mark after a space', ` \uFEFF${text}`),
  odd('invalid', 'a byte order mark at the end', `${text}\uFEFF`),
  odd('invalid', 'a byte order mark alone', '\uFEFF'),
  odd('invalid', 'UTF-16', utf16(text)),
  odd('invalid', 'UTF-16, big-endian', Buffer.from(utf16(text)).swap16()),
  odd('invalid', 'a byte that is not UTF-8', Buffer.concat([bytes(text), Buffer.of(0xff)])),
  odd('invalid', 'a surrogate in UTF-8', surrogateInUtf8()),
  odd('proven', 'CRLF', JSON.stringify(good, null, 2).replaceAll('\n', '\r\n')),
  odd('proven', 'tabs', JSON.stringify(good, null, '\t')),
  odd('proven', 'spaces and newlines around', ` \n\t\r${text} \n\t\r`),
  odd('invalid', 'a vertical tab after it', `${text}\v`),
  odd('invalid', 'U+00A0 after it', `${text}\u00a0`),
  odd('invalid', 'U+2028 after it', `${text}\u2028`),
  odd('invalid', 'U+0085 after it', `${text}\u0085`),
  odd('invalid', 'NUL after it', `${text}\0`),
  odd('invalid', 'a second value after it', `${text}{}`),
  odd('invalid', 'a comment', `/**/${text}`),
  odd('invalid', 'a comma at the end', text.replace(/\}$/, ',}')),
  odd('invalid', 'single quotes', text.replaceAll('"', "'")),
];

function surrogateInUtf8(): Uint8Array {
  const [before, after] = text.split('Zoë') as [string, string];
  return Buffer.concat([bytes(before), Buffer.of(0xed, 0xa0, 0x80), bytes(after)]);
}

const deep = (levels: number) => '[]'.padStart(levels + 1, '[').padEnd(2 * levels, ']');

const values: readonly Odd[] = [
  replaced('proven', 'a count of 3.0', '"count":3', '"count":3.0'),
  replaced('proven', 'a count of 3e0', '"count":3', '"count":3e0'),
  replaced('proven', 'a count of 30E-1', '"count":3', '"count":30E-1'),
  replaced('invalid', 'a count of 03', '"count":3', '"count":03'),
  replaced('invalid', 'a count of +3', '"count":3', '"count":+3'),
  replaced('invalid', 'a count of -3', '"count":3', '"count":-3'),
  replaced('invalid', 'a count of true', '"count":3', '"count":true'),
  replaced('invalid', 'a count of 2^53', '"count":3', '"count":9007199254740992'),
  replaced('invalid', 'a leaf index of -0', '"leaf_index":0', '"leaf_index":-0'),
  replaced('proven', 'a leaf index of 0e9', '"leaf_index":0', '"leaf_index":0e9'),
  replaced('proven', 'a zero of great power', '"leaf_index":0', `"leaf_index":0e${'9'.repeat(30)}`),
  replaced('invalid', 'NaN', '4.5', 'NaN'),
  replaced('invalid', 'Infinity', '4.5', 'Infinity'),
  replaced('invalid', 'a number beyond a double', '4.5', '1e400'),
  replaced('invalid', 'a number below a double', '4.5', '1e-400'),
  replaced('invalid', 'a number of great power', '4.5', `1e-${'9'.repeat(30)}`),
  replaced('invalid', 'more digits than a double has', '4.5', '4.5000000000000000001'),
  replaced('proven', 'the number in another form', '4.5', '0.45e1'),
  replaced('invalid', 'digits of another script', '"count":3', '"count":٣'),
  replaced('invalid', 'a lone surrogate', 'Zoë', '\\ud800'),
  replaced('invalid', 'a lone surrogate as a name', '"received_by"', '"\\udc00"'),
  replaced('proven', 'a pair of surrogates, escaped', '😀', '\\ud83d\\ude00'),
  replaced('proven', 'escapes in lower case', 'Zoë', 'Zo\\u00eb'),
  replaced('invalid', 'a control character in a text', 'Zoë', 'Zo\u0001'),
  replaced('invalid', 'an escape that is none', 'Zoë', '\\x41'),
  replaced('invalid', 'another text', 'Zoë', 'Zoë\\u0000'),
  replaced('invalid', 'the same text, decomposed', 'Zoë', 'Zoe\u0308'),
  replaced('invalid', 'a member twice', '"count":3', '"count":3,"count":3'),
  replaced('invalid', 'a further member', '"count":3', '"count":3,"note":null'),
  replaced('invalid', 'a member __proto__', '"count":3', '"count":3,"__proto__":null'),
  replaced('invalid', 'a member with a space', '"count":3', '"count ":3'),
  replaced('invalid', 'hex in upper case', good.head_hash, good.head_hash.toUpperCase()),
  replaced('invalid', 'an order id in upper case', orderId, orderId.toUpperCase()),
  replaced('invalid', 'nested 41 levels deep', '"inclusion":[]', `"inclusion":[${deep(38)}]`),
  replaced(
    'invalid',
    'nested 100,000 levels deep',
    '"inclusion":[]',
    `"inclusion":${deep(100_000)}`,
  ),
  replaced('invalid', 'a path with an empty array', '"inclusion":[]', '"inclusion":[[]]'),
  replaced('invalid', 'no path', '"inclusion":[]', '"inclusion":null'),
  replaced('invalid', 'no keys', '"keys":[', '"keys":[],"k":['),
  odd('proven', 'the members in another order', reversed(text)),
  odd('invalid', 'an empty file', ''),
  odd('invalid', 'null', 'null'),
  odd('invalid', 'an empty array', '[]'),
  odd('invalid', 'an empty object', '{}'),
];

function reversed(written: string): string {
  const turned = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(turned);
    if (typeof value !== 'object' || value === null) return value;
    const members = Object.entries(value).reverse();
    return Object.fromEntries(members.map(([name, member]) => [name, turned(member)]));
  };
  return JSON.stringify(turned(JSON.parse(written)));
}

const last = entries.at(-1) as Unlinked;
const withLast = (change: Partial<Unlinked>): Change => ({
  unlinked: [...(entries.slice(0, -1) as Unlinked[]), { ...last, ...change }],
});
const nested = (levels: number): Record<string, unknown> =>
  levels === 0 ? {} : { a: nested(levels - 1) };

const contents: readonly Odd[] = [
  signed('invalid', 'the year 0000', withLast({ ts_utc: '0000-06-01T00:00:00.000Z' })),
  signed('proven', 'the year 0001', withLast({ ts_utc: '0001-01-01T00:00:00.000Z' })),
  signed('proven', 'the year 9999', withLast({ ts_utc: '9999-12-31T23:59:59.999Z' })),
  signed('invalid', 'the year 10000', withLast({ ts_utc: '10000-01-01T00:00:00.000Z' })),
  signed('invalid', 'the year +012026', withLast({ ts_utc: '+012026-01-15T00:00:00.000Z' })),
  signed('invalid', '30 February', withLast({ ts_utc: '2026-02-30T00:00:00.000Z' })),
  signed('invalid', '29 February of 1900', withLast({ ts_utc: '1900-02-29T00:00:00.000Z' })),
  signed('invalid', 'a leap second', withLast({ ts_utc: '2016-12-31T23:59:60.000Z' })),
  signed('invalid', '24:00', withLast({ ts_utc: '2026-01-15T24:00:00.000Z' })),
  signed(
    'invalid',
    'digits of another script in a time',
    withLast({ ts_utc: '٢٠٢٦-01-15T00:00:00.000Z' }),
  ),
  signed('invalid', 'a newline after a time', withLast({ ts_utc: '2026-01-15T00:00:00.000Z\n' })),
  signed(
    'proven',
    'a payload __proto__',
    withLast({ payload: JSON.parse('{"__proto__":{"a":1}}') }),
  ),
  signed(
    'proven',
    'great integers',
    withLast({ payload: { n: [2 ** 53, -(2 ** 60), 1e21, 1e300] } }),
  ),
  signed('proven', 'small numbers', withLast({ payload: { n: [5e-324, 1e-7, 0.000001, -1e-6] } })),
  signed(
    'proven',
    'names beyond the first plane',
    withLast({ payload: { '\uffff': 1, '😀': 2, ﬁ: 3 } }),
  ),
  signed(
    'proven',
    'an empty name, and controls',
    withLast({ payload: { '': '\0\u007f\u0085\u2028' } }),
  ),
  signed('proven', 'a payload of 32 levels', withLast({ payload: nested(31) })),
  signed('invalid', 'a payload of 33 levels', withLast({ payload: nested(32) })),
  signed('invalid', 'a payload that is an array', withLast({ payload: [] as never })),
  signed('invalid', 'seven decimals', withLast({ gps_lat: 1.0000001 })),
  signed('invalid', 'a latitude of 1e-7', withLast({ gps_lat: 1e-7 })),
  signed('proven', 'a latitude of 1e-6', withLast({ gps_lat: 0.000001 })),
  signed('invalid', 'a latitude of true', withLast({ gps_lat: true as never })),
  signed('proven', 'an empty type', withLast({ type: '' })),
  signed('proven', 'a type with a newline', withLast({ type: 'a\nb\u0000' })),
];

/** Names of an origin and its key. C2SP signed-note forbids Unicode spaces and plus signs. */
const names: readonly Odd[] = [
  ...['\u0085', '\u00a0', '\u1680', '\u2003', '\u2028', '\u2029', '\u202f', '\u3000', ' ', '+'].map(
    (space) => signed('invalid', `a name with ${JSON.stringify(space)}`, { origin: `a${space}b` }),
  ),
  ...['\uFEFF', '\u200b', '\u180e', '\u2060', '\u007f', '\u0080', '😀', 'é', 'a'.repeat(9000)].map(
    (other) =>
      signed('proven', `a name with ${JSON.stringify(other.slice(0, 9))}`, {
        origin: `a${other}b`,
      }),
  ),
  ...['\t', '\r', '\u001c', '\u001f', '\0'].map((control) =>
    signed('invalid', `a name with ${JSON.stringify(control)}`, { origin: `a${control}b` }),
  ),
  signed('invalid', 'a name that is empty', { origin: '' }),
  signed('proven', 'a name that begins with a byte order mark', { origin: '\uFEFFlog' }),
];

const sizes: readonly Odd[] = [
  odd('proven', 'a log of 2^53 - 1 leaves', JSON.stringify(emptyOrder(2 ** 53 - 1))),
  ...['9007199254740992', '9999999999999999', '1e3', '01', '', '-1', '+1', '1 '].map((size) =>
    odd('invalid', `a log of ${size} leaves`, JSON.stringify(emptyOrder(size))),
  ),
];

const swapped = (text: string): string => text.replaceAll('+', '-').replaceAll('/', '_');
const notes: readonly Odd[] = [
  signed('proven', 'a line with U+0085 and U+FEFF', { extension: 'a\u0085b\uFEFF\u2028\n' }),
  signed('invalid', 'a line with a carriage return', { extension: 'a\r\n' }),
  signed('invalid', 'an empty line', { extension: '\n' }),
  signed('invalid', 'a time of the year 0000', { extension: 'time 0000-01-01T00:00:00.000Z\n' }),
  signed('proven', 'a time of the year 9999', { extension: 'time 9999-12-31T23:59:59.999Z\n' }),
  signed('invalid', 'two lines with a time', {
    extension: 'time 2026-01-01T00:00:00.000Z\n'.repeat(2),
  }),
  signed('proven', 'a note of 32,000 characters beyond the first plane', {
    extension: `${'😀'.repeat(32_000)}\n`,
  }),
  signed('invalid', 'a note of 33,000 characters beyond the first plane', {
    extension: `${'😀'.repeat(33_000)}\n`,
  }),
  signed('invalid', 'a signature without padding', { line: (line) => line.replace(/=+\n$/, '\n') }),
  signed('invalid', 'a signature with more padding', { line: (line) => line.replace('\n', '=\n') }),
  signed('invalid', 'a signature in url-safe base64', {
    line: (line) => `${swapped(line.slice(0, -4))}${line.slice(-4)}`,
  }),
  signed('invalid', 'a signature with a space at its end', {
    line: (line) => line.replace('\n', ' \n'),
  }),
  signed('invalid', 'a signature with CRLF', { line: (line) => line.replace('\n', '\r\n') }),
  signed('invalid', 'a hyphen for the dash', { line: (line) => line.replace('—', '-') }),
  signed('invalid', 'no newline at the end', { line: (line) => line.slice(0, -1) }),
  signed('proven', 'a signature by another name beside it', {
    line: (line) => `${line}— x AAAAAAAA\n`,
  }),
  signed('invalid', 'a signature of no bytes beside it', {
    line: (line) => `${line}— x AAAAAA==\n`,
  }),
];

/** A signature line whose signature, behind the 4 bytes of the key's id, has another length. */
const lengthened =
  (length: number) =>
  (line: string): string => {
    const [dash, name, encoded] = line.trim().split(' ') as [string, string, string];
    const bytes = Buffer.from(encoded, 'base64');
    const other = Buffer.concat([bytes, bytes.subarray(4)]).subarray(0, 4 + length);
    return `${dash} ${name} ${other.toString('base64')}\n`;
  };
const lengths: readonly Odd[] = [
  ...[0, 1, 15, 31, 33, 63, 65, 128].map((length) =>
    signed('invalid', `a signature of ${length} bytes`, { line: lengthened(length) }),
  ),
  ...[0, 1, 31, 32, 34].map((length) =>
    signed('invalid', `a key of ${length} bytes, its algorithm included`, { vkey: cutKey(length) }),
  ),
  replaced('invalid', 'a head of 31 bytes', good.head_hash, good.head_hash.slice(2)),
  replaced('invalid', 'a head of no bytes', `"${good.head_hash}"`, '""'),
  ...[0, 1, 15, 31, 33].map((length) =>
    replaced(
      'invalid',
      `a hash of ${length} bytes in the path`,
      '"inclusion":[]',
      `"inclusion":["${Buffer.alloc(length).toString('base64')}"]`,
    ),
  ),
];

/** A vkey of a key of another length, with the id that belongs to it. */
function cutKey(length: number) {
  return (vkey: string): string => {
    const [name, , ...encoded] = vkey.split('+') as [string, string, ...string[]];
    const bytes = Buffer.from(encoded.join('+'), 'base64');
    const other = Buffer.concat([bytes, Buffer.of(0)]).subarray(0, length);
    const id = keyId(name, other.subarray(1));
    return `${name}+${id}+${other.toString('base64')}`;
  };
}

const [key] = good.keys as [(typeof good.keys)[0]];
const keys: readonly Odd[] = [
  ofKeys('proven', 'keys with a byte order mark', `\uFEFF${keysText()}`),
  ofKeys('invalid', 'keys with two byte order marks', `\uFEFF\uFEFF${keysText()}`),
  ofKeys('invalid', 'keys in UTF-16', utf16(keysText())),
  ofKeys('proven', 'keys with CRLF', keysText().replaceAll(',', ',\r\n')),
  ofKeys('invalid', 'keys twice', keysText().replace('"keys"', '"keys":[],"keys"')),
  ofKeys('invalid', 'a vkey twice', keysText().replace('"vkey"', '"vkey":"x","vkey"')),
  ofKeys('invalid', 'keys with NaN', keysText().replace('{', '{"a":NaN,')),
  ofKeys('invalid', 'keys with a lone surrogate', keysText().replace('{', '{"a":"\\ud800",')),
  ofKeys('invalid', 'keys as an object', JSON.stringify({ keys: { 0: key } })),
  ofKeys('invalid', 'keys as a text', JSON.stringify({ keys: key.vkey })),
  ofKeys('proven', 'keys as texts', JSON.stringify({ keys: [key.vkey] })),
  ofKeys('invalid', 'a list of keys', JSON.stringify(good.keys)),
  ofKeys('invalid', 'an empty keys file', ''),
  ...[0, false, '', {}, []].map((until) =>
    odd(
      'invalid',
      `a trusted key until ${JSON.stringify(until)}`,
      text,
      keysText([{ ...key, valid_until: until }]),
    ),
  ),
  odd(
    'invalid',
    'a trusted key until the year 0000',
    text,
    keysText([{ ...key, valid_until: '0000-06-01T00:00:00.000Z' }]),
  ),
  odd(
    'proven',
    'a trusted key until the end of 9999',
    text,
    keysText([{ ...key, valid_until: '9999-12-31T23:59:59.999Z' }]),
  ),
  odd('proven', 'a trusted key without an end', text, keysText([{ vkey: key.vkey }])),
  odd('proven', 'a trusted key with a further member', text, keysText([{ ...key, note: 1 }])),
  odd('invalid', 'a trusted null', text, keysText([null])),
  signed('invalid', 'a key from the year 0000', { until: '0000-01-01T00:00:00.000Z' }),
  signed('invalid', 'a vkey with a space at its end', { vkey: (vkey) => `${vkey} ` }),
  signed('invalid', 'a vkey with a newline at its end', { vkey: (vkey) => `${vkey}\n` }),
  signed('invalid', 'a vkey without padding', { vkey: (vkey) => `${vkey}=` }),
  signed('invalid', 'a vkey with an id in upper case', {
    vkey: (vkey) => vkey.replace(/\+[0-9a-f]{8}/, (id) => id.toUpperCase()),
  }),
];

/** The chain of `samples/a-proof.ts` is what the service makes: none of this is the service's. */
export const oddFiles: readonly Odd[] = [
  ...encodings,
  ...values,
  ...contents,
  ...names,
  ...notes,
  ...sizes,
  ...lengths,
  ...keys,
];

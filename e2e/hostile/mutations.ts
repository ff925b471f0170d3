import { gzipSync } from 'node:zlib';
import type { Chance } from './chance.ts';
import {
  oddBodies,
  oddHeaders,
  oddJson,
  oddMethods,
  oddPaths,
  oddQueries,
  oddTexts,
  oddVersions,
} from './odd-values.ts';
import type { RawRequest } from './request.ts';

type Mutation = (request: RawRequest, chance: Chance) => RawRequest;

const withBody = (request: RawRequest, body: Buffer | string): RawRequest => ({
  ...request,
  body: Buffer.from(body as string),
});

/** Changes one member of the JSON, at any depth; the text is made by hand, so that it may be odd. */
const changeMember = (request: RawRequest, chance: Chance, value: string): RawRequest => {
  const marks: string[] = [];
  const text = JSON.stringify(JSON.parse(`${request.body}`), (name, member) => {
    if (name !== '') marks.push(name);
    return member;
  });
  if (marks.length === 0) return request;
  const target = `"${chance.of(marks)}":`;
  const at = text.indexOf(target) + target.length;
  if (at < target.length) return request;
  return withBody(request, text.slice(0, at) + value + text.slice(valueEnd(text, at)));
};

/** Where the value that begins here ends, in JSON without spaces. */
const valueEnd = (text: string, begin: number): number => {
  let end = begin;
  for (let open = 0; end < text.length; end++) {
    const char = text[end]!;
    if (char === '"') end = text.indexOf('"', end + 1);
    else if (char === '{' || char === '[') open++;
    else if ((char === '}' || char === ']') && --open < 0) return end;
    else if (char === ',' && open === 0) return end;
  }
  return end;
};

const isJson = ({ body }: RawRequest) => body.length > 0 && body.length < 5000 && body[0] === 0x7b;

const ofJson =
  (mutate: Mutation): Mutation =>
  (request, chance) => {
    try {
      return isJson(request) ? mutate(request, chance) : request;
    } catch {
      return request; // another mutation has spoilt the JSON before
    }
  };

const insert = (text: string, at: number, more: string) =>
  text.slice(0, at) + more + text.slice(at);

/** Each spoils one thing. What it leaves alone still holds. */
const mutations: readonly Mutation[] = [
  ofJson((request, chance) => changeMember(request, chance, chance.of(oddJson))),
  ofJson((request, chance) => changeMember(request, chance, JSON.stringify(chance.of(oddTexts)))),
  ofJson((request, chance) => changeMember(request, chance, JSON.stringify(chance.of(oddTexts)))),
  // given twice, and the last one counts
  ofJson((request, chance) =>
    withBody(
      request,
      `${request.body}`.replace('{', () => `{"label":${chance.of(oddJson)},`),
    ),
  ),
  ofJson((request, chance) =>
    withBody(
      request,
      insert(`${request.body}`, chance.below(request.body.length), chance.of([...'{}[],:"\\0-'])),
    ),
  ),
  (request, chance) => withBody(request, chance.of(oddBodies)),
  (request) => ({
    ...request,
    body: gzipSync(request.body),
    headers: [...request.headers, ['Content-Encoding', 'gzip']],
  }),
  (request) => ({ ...request, framing: 'chunked' }),
  (request) => ({ ...request, framing: 'as it is' }),
  (request, chance) => ({
    ...request,
    framing: 'as it is',
    body: Buffer.from(
      chance.of([
        'zz\r\n{}',
        '5;x=y\r\n{"a":\r\n0\r\n\r\n',
        `2;${'x'.repeat(20_000)}\r\n{}`,
        '2\r\n{}\r\n0\r\nA: b\r\n\r\n',
        'ffffffffffffffff1\r\n',
        '-1\r\n',
        '2\n{}\n0\n\n',
      ]),
    ),
    headers: [...request.headers, ['Transfer-Encoding', 'chunked']],
  }),
  (request, chance) => ({ ...request, headers: [...request.headers, chance.of(oddHeaders)] }),
  (request, chance) => ({ ...request, headers: [chance.of(oddHeaders), ...request.headers] }),
  (request, chance) => ({ ...request, headers: [...request.headers, chance.of(request.headers)] }),
  (request, chance) => ({
    ...request,
    headers: request.headers.toSpliced(chance.below(request.headers.length), 1),
  }),
  (request, chance) => ({
    ...request,
    headers: [...request.headers, ...Array(chance.of([10, 500, 2000])).fill(['X-Many', 'x'])],
  }),
  (request, chance) => ({ ...request, method: chance.of(oddMethods) }),
  (request, chance) => ({ ...request, version: chance.of(oddVersions) }),
  (request, chance) => ({ ...request, lineEnd: chance.of(['\n', '\r', '\r\r\n', '\r\n']) }),
  (request, chance) => ({ ...request, target: `${request.target}${chance.of(oddPaths)}` }),
  (request, chance) => ({ ...request, target: `${chance.of(oddPaths)}${request.target}` }),
  (request, chance) => ({
    ...request,
    target: insert(request.target, chance.below(request.target.length), chance.of(oddPaths)),
  }),
  (request, chance) => ({ ...request, target: `${request.target}?${chance.of(oddQueries)}` }),
  (request, chance) => ({
    ...request,
    target: `${request.target}?${chance.of(oddQueries)}&${chance.of(oddQueries)}`,
  }),
];

/** One to three things spoilt. */
export const mutated = (request: RawRequest, chance: Chance): RawRequest => {
  let spoilt = request;
  for (let n = 1 + chance.below(3); n > 0; n--) spoilt = chance.of(mutations)(spoilt, chance);
  return spoilt;
};

/** A few bytes changed, put in, left out or given twice, wherever they are. */
export const scrambled = (whole: Buffer, chance: Chance): Buffer => {
  let bytes = whole;
  for (let n = 1 + chance.below(4); n > 0; n--) {
    const at = chance.below(bytes.length);
    const few = chance.below(9);
    const part = chance.of([
      chance.bytes(few),
      bytes.subarray(at, at + 40),
      Buffer.from(chance.of(['\r\n', '\r\n\r\n', '\0', ' ', ':', '\t', 'HTTP/1.1', 'chunked'])),
      Buffer.alloc(0),
    ]);
    bytes = Buffer.concat([bytes.subarray(0, at), part, bytes.subarray(at + few)]);
  }
  return bytes;
};

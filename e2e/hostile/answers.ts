/** Reads answers as a strict client does, and says what is wrong with them. */

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Whether nothing but the end of the connection tells where the body ends (HTTP/1.0). */
  readonly endsAtClose: boolean;
}

export class Malformed extends Error {}

const statusLine = /^HTTP\/1\.1 (\d{3}) [A-Za-z' -]+$/;
const field = /^([\w!#$%&'*+.^`|~-]+): ([\x20-\x7e]*)$/;

/**
 * @param isHead whether the nth request was a HEAD, whose answer has no body.
 * @throws Malformed
 */
export const answersIn = (bytes: Buffer, isHead: (n: number) => boolean): Answer[] => {
  const answers: Answer[] = [];
  let at = 0;
  while (at < bytes.length) {
    const end = bytes.indexOf('\r\n\r\n', at);
    if (end < 0) throw new Malformed('a head without end');
    const [first = '', ...rest] = bytes.toString('latin1', at, end).split('\r\n');
    const status = Number(statusLine.exec(first)?.[1] ?? Number.NaN);
    if (Number.isNaN(status)) throw new Malformed(`status line: ${first}`);
    const fields = rest.map((one) => field.exec(one));
    if (fields.includes(null)) throw new Malformed(`header: ${rest.join(' | ')}`);
    const headers = Object.fromEntries(
      fields.map((found) => [found![1]!.toLowerCase(), found![2]!]),
    );
    at = end + 4;
    const before = answers.filter((answer) => answer.status >= 200).length;
    const bodiless = isHead(before) || status < 200 || status === 204 || status === 304;
    const [body, next] = bodiless ? ['', at] : bodyAt(bytes, at, headers);
    const endsAtClose = !(
      bodiless ||
      'content-length' in headers ||
      'transfer-encoding' in headers
    );
    answers.push({ status, headers, body, endsAtClose });
    at = next;
  }
  return answers;
};

const bodyAt = (bytes: Buffer, at: number, headers: Answer['headers']): [string, number] => {
  if (headers['transfer-encoding'] === 'chunked') return chunksAt(bytes, at);
  const length = headers['content-length'];
  if (length === undefined && headers.connection !== 'close')
    throw new Malformed('neither a length nor chunks, and no end');
  const end = length === undefined ? bytes.length : at + Number(length);
  if (end > bytes.length) throw new Malformed('a body that is cut off');
  return [bytes.toString('utf8', at, end), end];
};

const chunksAt = (bytes: Buffer, begin: number): [string, number] => {
  const parts: Buffer[] = [];
  for (let at = begin; ; ) {
    const lineEnd = bytes.indexOf('\r\n', at);
    const size = Number.parseInt(bytes.toString('latin1', at, lineEnd), 16);
    const from = lineEnd + 2;
    if (lineEnd < 0 || Number.isNaN(size) || bytes.indexOf('\r\n', from + size) !== from + size)
      throw new Malformed('a chunk that is none');
    if (size === 0) return [Buffer.concat(parts).toString(), from + 2];
    parts.push(bytes.subarray(from, from + size));
    at = from + size + 2;
  }
};

/** What is no request at all is answered without a body. */
const bare = new Set([400, 408, 413, 417, 431]);
/** Words that only somebody who looks into our house can know. */
const internal =
  /node:internal|node_modules|\.[jt]s:\d|\n\s+at |postgres|kysely|mikro|grpc|redis|kafka|ECONN|TypeError|RangeError|SyntaxError|<html|\[object/i;

/** What is wrong with an answer, or undefined (contract 2.6 and 7). */
export const faultOf = ({ status, headers, body }: Answer): string | undefined => {
  if (status >= 500) return `a ${status}`;
  if (internal.test(body)) return 'a word from inside';
  if (body === '')
    return headers['content-length'] === '0' && !bare.has(status)
      ? `a ${status} without a body`
      : undefined;
  if (headers['content-type'] !== 'application/json') return 'a body that is no JSON by its type';
  let json: { detail?: unknown; error?: { code?: unknown; message?: unknown } };
  try {
    json = JSON.parse(body);
  } catch {
    return 'a body that is no JSON';
  }
  if (status < 400) return undefined;
  const { detail, error } = json;
  if (status === 422 && Array.isArray(detail))
    return detail.length > 0 && detail.every(isFault) ? undefined : 'a 422 of another form';
  return typeof error?.code === 'string' && typeof error.message === 'string'
    ? undefined
    : `a ${status} of another form`;
};

const isFault = ({ loc, msg, type }: Record<string, unknown>): boolean =>
  Array.isArray(loc) && loc.length > 0 && typeof msg === 'string' && typeof type === 'string';

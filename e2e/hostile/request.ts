/** A request in its parts, so that each can be spoilt alone. Header texts are Latin-1. */
export interface RawRequest {
  readonly method: string;
  readonly target: string;
  readonly version: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
  /** The body's framing: a length that holds, chunks, or whatever the headers say already. */
  readonly framing: 'length' | 'chunked' | 'as it is';
  /** Between the lines of its head. */
  readonly lineEnd: string;
}

const line = /[\r\n\0]/;

/** The request's bytes. */
export const bytesOf = (request: RawRequest): Buffer => {
  const { method, target, version, headers, body, framing, lineEnd } = request;
  const length: [string, string][] =
    framing === 'length' && (body.length > 0 || method === 'POST' || method === 'PATCH')
      ? [['Content-Length', `${body.length}`]]
      : [];
  const chunks: [string, string][] =
    framing === 'chunked' ? [['Transfer-Encoding', 'chunked']] : [];
  const lines = [...headers, ...length, ...chunks].map(([name, value]) => `${name}: ${value}`);
  const head = [`${method} ${target} ${version}`, ...lines, '', ''].join(lineEnd);
  return Buffer.concat([Buffer.from(head, 'latin1'), framing === 'chunked' ? chunked(body) : body]);
};

const chunked = (body: Buffer): Buffer => {
  const parts: Buffer[] = [];
  const size = Math.max(1, Math.ceil(body.length / 3));
  for (let at = 0; at < body.length; at += size) {
    const part = body.subarray(at, at + size);
    parts.push(Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from('\r\n'));
  }
  return Buffer.concat([...parts, Buffer.from('0\r\n\r\n')]);
};

/**
 * The JSON that a reader of HTTP must find in this request, or undefined where nobody can say: what
 * an answer of 201 is held against.
 */
export const jsonIn = ({ headers, body, framing }: RawRequest): unknown => {
  if (framing === 'as it is' || headers.some((pair) => line.test(pair.join('')))) return undefined;
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    return undefined;
  }
};

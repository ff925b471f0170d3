import { pick, type Random } from '../random.ts';

export interface RawRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Buffer;
}

export const write = (
  { method, target, headers, body }: RawRequest,
  version = 'HTTP/1.1',
): Buffer =>
  Buffer.concat([
    Buffer.from(
      `${method} ${target} ${version}\r\n${headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`,
      'latin1',
    ),
    body,
  ]);

/** The request with its body, as HTTP has it. */
export const whole = (request: RawRequest): Buffer =>
  write({
    ...request,
    headers: [
      ...request.headers,
      ...(request.body.length > 0 ? [['Content-Length', `${request.body.length}`] as const] : []),
    ],
  });

export const chunked = (random: Random, request: RawRequest): Buffer => {
  const size = pick(random, ['', 'x', '-1', 'ffffffffffffffff', '1;ext=1', undefined]);
  const { body } = request;
  const chunk = Buffer.concat([
    Buffer.from(`${size ?? body.length.toString(16)}\r\n`),
    body,
    Buffer.from('\r\n0\r\nTrailer: x\r\n\r\n'),
  ]);
  return write({
    ...request,
    headers: [...request.headers, ['Transfer-Encoding', 'chunked']],
    body: chunk,
  });
};

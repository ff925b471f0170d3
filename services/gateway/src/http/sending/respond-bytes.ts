import type { Request, Response } from 'express';
import { nothing } from './partner-response.ts';
import type { Responder } from './responder.ts';

/** Headers of every response that a browser may show. */
export const browserHeaders = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
};

/** Sends bytes. A HEAD request gets the headers with their length. */
export const respondBytes = (
  { respond }: Responder,
  request: Request,
  response: Response,
  {
    status,
    bytes,
    headers,
  }: { status: number; bytes: Uint8Array; headers: Record<string, string> },
): Promise<void> =>
  request.method === 'HEAD'
    ? respond(request, response, status, {
        ...nothing,
        headers: { ...headers, 'Content-Length': `${bytes.byteLength}` },
      })
    : respond(request, response, status, { body: { kind: 'bytes', bytes }, headers });

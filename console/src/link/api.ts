/** The requests of a link's page (decision 86). The secret is in no URL that a server gets. */

import type { LinkedOrder } from '@pto/representation';
import { ApiError } from '../calls/failure.ts';
import type { Language } from '../parts/words.ts';

const timeoutMs = 15_000;

const send = async (name: string, secret: string): Promise<Response> => {
  const response = await fetch(`/o/${name}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ secret }),
    signal: AbortSignal.timeout(timeoutMs),
  }).catch(() => {
    throw new ApiError(undefined, '', '');
  });
  if (response.ok) return response;
  // every other answer is about the way there, not about the link
  throw response.status === 404 || response.status === 400
    ? new ApiError(response.status, 'NOT_FOUND', '')
    : new ApiError(response.status, '', '');
};

/** Reads what the link shows. @param isOpening the page was opened, which is counted. */
export const readLinked = async (secret: string, isOpening: boolean): Promise<LinkedOrder> =>
  (await send(isOpening ? 'open' : 'read', secret)).json();

/** Reads the certificate, a PDF. */
export const readCertificate = async (secret: string, language: Language): Promise<Blob> =>
  (await send(`certificate-${language}`, secret)).blob();

import * as http from 'node:http';
import * as https from 'node:https';
import type { HttpResponse } from './read-response.ts';

/** Deadline of a request, from the connection to the last byte of the response. */
const deadlineMs = 5000;
const responseMax = 65_536;

/** A witness is unavailable, too slow, or sends too large a response; or the service stops. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable';
}

/**
 * Posts a checkpoint to a witness. Redirects are not followed.
 * @param signal aborts the request.
 * @throws Unreachable and nothing else.
 */
export const post = async (
  url: string,
  body: string,
  signal: AbortSignal,
): Promise<HttpResponse> => {
  const { request } = url.startsWith('https:') ? https : http;
  const sent = request(url, { method: 'POST', headers: headersOf(body) });
  // limits the complete request: an idle timeout would not end a response that arrives byte by byte
  const end = (why: string) => () => sent.destroy(new Unreachable(why));
  const timer = setTimeout(end(`no complete response within ${deadlineMs} ms`), deadlineMs);
  const stop = end('the service stops');
  signal.addEventListener('abort', stop);
  if (signal.aborted) stop();
  try {
    return await responseOf(sent, body);
  } catch (error) {
    const { code, name } = error as NodeJS.ErrnoException;
    throw error instanceof Unreachable ? error : new Unreachable(code ?? name);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
  }
};

const headersOf = (body: string) => ({
  'content-type': 'text/plain; charset=utf-8',
  'content-length': Buffer.byteLength(body),
});

const responseOf = (sent: http.ClientRequest, body: string): Promise<HttpResponse> =>
  new Promise((resolve, reject) => {
    sent.on('error', reject);
    sent.once('response', (response) => {
      readText(response).then(
        (text) => resolve({ status: response.statusCode ?? 0, body: text }),
        (error) => reject(sent.errored ?? error),
      );
    });
    sent.end(body);
  });

const readText = async (response: http.IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  let length = 0;
  // an exit from the loop closes the connection
  for await (const chunk of response as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > responseMax) throw new Unreachable(`the response exceeds ${responseMax} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
};

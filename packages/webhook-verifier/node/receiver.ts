// PORT=8080 WEBHOOK_SECRETS=whsec_… INBOX=inbox node receiver.ts   (behind a TLS proxy)
// Start it without WEBHOOK_SECRETS to register the endpoint, and with the secret afterwards.
import { randomUUID } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { verify } from '@pto/webhook-verifier';

const { PORT = '8080', WEBHOOK_SECRETS = '', INBOX = 'inbox' } = process.env;
const secrets = WEBHOOK_SECRETS.split(',').filter((secret) => secret !== '');
const bodyMostBytes = 65_536;

await mkdir(INBOX, { recursive: true });

createServer(async (request, response) => {
  const answer = (status: number, text = '') => {
    if (status >= 400) process.stderr.write(`rejected with ${status}: ${text}\n`);
    response.writeHead(status, { 'content-type': 'text/plain' }).end(text);
  };
  try {
    if (request.method === 'GET') {
      const { searchParams } = new URL(request.url ?? '/', 'https://receiver');
      return answer(200, searchParams.get('verification') ?? '');
    }
    const length = Number(request.headers['content-length'] ?? Infinity);
    if (length > bodyMostBytes) return answer(413, 'body too large');
    if (!secrets[0]) return answer(401, 'no secret: set WEBHOOK_SECRETS');
    const rawBody = await buffer(request); // before anything parses it
    const header = request.headers['x-service-signature'];
    const verdict = await verify({ rawBody, header, secrets });
    if (!verdict.valid) return answer(401, verdict.reason);
    const id = `${request.headers['x-service-delivery']}`;
    if (!/^[0-9a-f-]{36}$/.test(id)) return answer(400, 'no delivery id');
    const part = join(INBOX, `.${randomUUID()}`);
    await writeFile(part, rawBody);
    await rename(part, join(INBOX, id)); // atomic; a repeated delivery replaces the same file
    return answer(204); // stored: process it from the inbox, not here
  } catch (error) {
    return answer(500, `not stored: ${(error as NodeJS.ErrnoException).code}`); // it is retried
  }
}).listen(Number(PORT));

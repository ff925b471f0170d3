// PORT=8080 WEBHOOK_SECRETS=whsec_… INBOX=inbox node receiver.ts   (TLS ends in front of it)
import { randomUUID } from 'node:crypto';
import { rename, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { verify } from '@pto/webhook-verifier';

const { PORT, WEBHOOK_SECRETS = '', INBOX = 'inbox' } = process.env;
const bodyMostBytes = 65_536;

createServer(async (request, response) => {
  const answer = (status: number, text = '') =>
    response.writeHead(status, { 'content-type': 'text/plain' }).end(text);
  try {
    if (request.method === 'GET') {
      const { searchParams } = new URL(request.url ?? '/', 'https://receiver');
      return answer(200, searchParams.get('verification') ?? '');
    }
    const length = Number(request.headers['content-length'] ?? Infinity);
    if (length > bodyMostBytes) return answer(413);
    const rawBody = await buffer(request); // before anything parses it
    const header = request.headers['x-service-signature'];
    const verdict = await verify({ rawBody, header, secrets: WEBHOOK_SECRETS.split(',') });
    if (!verdict.valid) return answer(401, verdict.reason);
    const id = `${request.headers['x-service-delivery']}`;
    if (!/^[0-9a-f-]{36}$/.test(id)) return answer(400, 'no delivery id');
    const part = join(INBOX, `.${randomUUID()}`);
    await writeFile(part, rawBody);
    await rename(part, join(INBOX, id)); // whole or not at all; the same file if it comes again
    return answer(204); // it is kept: work on it from the inbox, not here
  } catch {
    return answer(500); // it comes again
  }
}).listen(Number(PORT));

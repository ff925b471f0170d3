// PORT=8080 WEBHOOK_SECRETS=whsec_… INBOX=inbox node receiver.mts
// Start the receiver without WEBHOOK_SECRETS to register the endpoint, then with the secret.
// It serves HTTP behind a TLS proxy; with TLS_CERT=cert.pem TLS_KEY=key.pem it serves HTTPS.
import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { verify } from '@pto/webhook-verifier';

const { HOST = '127.0.0.1', PORT = '8080', WEBHOOK_SECRETS = '', INBOX = 'inbox' } = process.env;
const { TLS_CERT, TLS_KEY } = process.env;
const secrets = WEBHOOK_SECRETS.split(',').filter((secret) => secret !== '');
const bodyMostBytes = 65_536;

await mkdir(INBOX, { recursive: true });

const receive: RequestListener = async (request, response) => {
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
    const rawBody = await buffer(request); // the received bytes, not parsed
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
    return answer(500, `not stored: ${(error as NodeJS.ErrnoException).code}`); // 500 is retried
  }
};

const files = [TLS_CERT, TLS_KEY].filter((path) => path !== undefined);
const [cert, key] = await Promise.all(files.map((path) => readFile(path)));
const server = cert && key ? createTlsServer({ cert, key }, receive) : createServer(receive);
server.listen(Number(PORT), HOST);

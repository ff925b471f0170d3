/** A partner's HTTPS endpoint that remembers what came. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { verifySignature } from '@pto/webhook-verifier';
import type { Mesh } from './mesh.ts';
import { partner } from './partner.ts';

export interface Received {
  readonly delivery: string;
  readonly event: string;
  readonly at: number;
  readonly signed: Promise<boolean>;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever came
  readonly body: any;
}

const signedBy = async (secret: string, header: string, rawBody: Buffer): Promise<boolean> =>
  secret !== '' && (await verifySignature({ rawBody, header, secrets: [secret] })).valid;

/** Listens on a loopback port with the local stack's certificate; responds 204 by default. */
export const startReceiver = async (mesh: Mesh, port = 0) => {
  const { certFile, keyFile } = mesh.file().receiver;
  const received: Received[] = [];
  const state = { secret: '', status: 204, handshakes: 0, held: Promise.resolve() };
  const server = createServer(
    { cert: readFileSync(certFile), key: readFileSync(keyFile) },
    (request, response) => {
      const nonce = new URL(request.url ?? '/', 'https://x').searchParams.get('verification');
      if (request.method === 'GET') {
        state.handshakes++;
        void state.held.then(() => response.end(nonce ?? ''));
        return;
      }
      const parts: Buffer[] = [];
      request.on('data', (part) => parts.push(part));
      request.on('end', () => {
        const raw = Buffer.concat(parts);
        const header = (name: string) => String(request.headers[name] ?? '');
        received.push({
          delivery: header('x-service-delivery'),
          event: header('x-service-event'),
          at: Date.now(),
          signed: signedBy(state.secret, header('x-service-signature'), raw),
          body: JSON.parse(raw.toString()),
        });
        response.writeHead(state.status).end();
      });
    },
  );
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const { port: at } = server.address() as AddressInfo;
  const url = `https://localhost:${at}/hooks`;
  return {
    url,
    port: at,
    received,
    state,
    /** Creates the partner's endpoint here; signatures are judged by its secret from now on. */
    subscribe: async () => {
      const answer = await partner(mesh).post('/webhooks', { url });
      state.secret = answer.body.secret;
      return answer;
    },
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};

export type Receiver = Awaited<ReturnType<typeof startReceiver>>;

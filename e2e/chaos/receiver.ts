/**
 * A partner's HTTPS endpoint that accepts the signature of any secret it ever had: around a
 * rotation a delivery may be signed with the previous secret alone.
 */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { verifySignature } from '@pto/webhook-verifier';
import type { Mesh } from '../mesh.ts';

export interface Received {
  readonly delivery: string;
  readonly event: string;
  readonly bytes: string;
  readonly signature: string;
  /** When it came, in seconds since the epoch. */
  readonly at: number;
}

export interface ChaosReceiver {
  readonly url: string;
  readonly received: readonly Received[];
  readonly secrets: string[];
  /** The status of the next responses to deliveries. */
  status: number;
  stop(): Promise<void>;
}

/** Whether the signature of a delivery is one of these secrets' and was fresh at arrival. */
export const isSigned = async (
  { at, bytes, signature }: Received,
  secrets: readonly string[],
): Promise<boolean> => {
  const rawBody = Buffer.from(bytes);
  return (await verifySignature({ rawBody, header: signature, secrets, now: at })).valid;
};

/** Listens on a loopback port with the local stack's certificate; responds 204 at first. */
export const startChaosReceiver = async (mesh: Mesh): Promise<ChaosReceiver> => {
  const { certFile, keyFile } = mesh.file().receiver;
  const received: Received[] = [];
  const server = createServer(
    { cert: readFileSync(certFile), key: readFileSync(keyFile) },
    (request, response) => {
      const nonce = new URL(request.url ?? '/', 'https://x').searchParams.get('verification');
      if (request.method === 'GET') return void response.end(nonce ?? '');
      const parts: Buffer[] = [];
      request.on('data', (part) => parts.push(part));
      request.on('end', () => {
        const header = (name: string) => String(request.headers[name] ?? '');
        received.push({
          delivery: header('x-service-delivery'),
          event: header('x-service-event'),
          bytes: Buffer.concat(parts).toString(),
          signature: header('x-service-signature'),
          at: Date.now() / 1000,
        });
        response.writeHead(receiver.status).end();
      });
    },
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const receiver: ChaosReceiver = {
    url: `https://localhost:${port}/hooks`,
    received,
    secrets: [],
    status: 204,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return receiver;
};

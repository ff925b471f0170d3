#!/usr/bin/env node
/**
 * A partner's receiver of webhooks in one file. It needs only Node and the webhook verifier: copy
 * both to begin your own.
 *
 *     npm run receiver -- --port 8443 --secret whsec_…
 *
 * The receiver responds to the handshake, accepts only signed and recent deliveries, and ignores
 * repeated deliveries. It responds to a delivery before it processes the delivery; this example
 * prints it. The secret is in the response to `POST /webhooks`. To get a secret, start the receiver
 * without one, register `https://localhost:8443/`, and start the receiver again with the secret.
 */
import { readFileSync, realpathSync } from 'node:fs';
import type { IncomingMessage, RequestListener } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type KnownEvent, verify } from '@pto/webhook-verifier';

/** A webhook whose signature was verified. */
export interface Delivery {
  /** Id of the delivery: the header X-Service-Delivery. */
  readonly id: string;
  readonly body: KnownEvent;
}

interface ReceiverOptions {
  /** Returns the valid secrets: two while the secret is being replaced. Called at each delivery. */
  readonly secrets: () => readonly string[];
  readonly onDelivery: (delivery: Delivery) => void;
  /**
   * Called with a line of text for each handshake, rejected delivery, repeated delivery, and event
   * of a type that this version does not know.
   */
  readonly onOther?: (words: string) => void;
}

const bodyMostBytes = 64 * 1024;
const rememberedMost = 10_000;

/** Handles the requests of a webhook endpoint. */
const receiver = ({ secrets, onDelivery, onOther }: ReceiverOptions): RequestListener => {
  const seen = new Set<string>();
  return async (request, response) => {
    const respond = (status: number, text = '') => response.writeHead(status).end(text);
    const url = new URL(request.url ?? '/', 'https://receiver');
    const nonce = url.searchParams.get('verification');
    if (request.method === 'GET' && nonce !== null) {
      onOther?.('handshake answered');
      return respond(200, nonce);
    }
    if (request.method !== 'POST') return respond(405);
    const rawBody = await read(request).catch(() => undefined);
    if (!rawBody) return respond(413);
    const known = secrets().filter((secret) => secret !== '');
    const header = request.headers['x-service-signature'];
    const verdict = known[0] ? await verify({ rawBody, header, secrets: known }) : noSecret;
    if (!verdict.valid) {
      onOther?.(`rejected: ${verdict.message}`);
      return respond(verdict.reason === 'not_an_event' ? 400 : 401);
    }
    const id = request.headers['x-service-delivery'];
    if (typeof id !== 'string') return respond(400);
    respond(204); // responds first: a slow response counts as a failure
    if (seen.has(id)) return onOther?.(`came again: ${id}`);
    seen.add(id);
    if (seen.size > rememberedMost) seen.delete(`${seen.values().next().value}`); // the oldest id
    if (verdict.known) onDelivery({ id, body: verdict.event });
    else onOther?.(`passed over: ${verdict.event.event}, which this version does not know`);
  };
};

interface ListenOptions extends ReceiverOptions {
  readonly port: number;
  readonly certFile: string;
  readonly keyFile: string;
}

/** Starts a receiver on the loopback address. @returns the server and its port. */
export const listen = async (options: ListenOptions): Promise<{ server: Server; port: number }> => {
  const server = createServer(
    {
      cert: readFileSync(options.certFile),
      key: readFileSync(options.keyFile),
      headersTimeout: 5000,
      requestTimeout: 10_000,
    },
    receiver(options),
  );
  await new Promise<void>((done, failed) => {
    server.once('error', failed).listen(options.port, '127.0.0.1', done);
  });
  return { server, port: (server.address() as AddressInfo).port };
};

/** The verdict while there is no secret, before the endpoint is registered. */
const noSecret = { valid: false, reason: 'no_secret', message: 'no --secret was given' } as const;

const read = async (request: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    if (bytes > bodyMostBytes) throw new Error(`the body is larger than ${bodyMostBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};

/** Returns the line without what could control the terminal: some of its texts are of other people. */
const shown = (line: string): string =>
  line.replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu, '\ufffd');

const usage = `A partner's receiver of webhooks: npm run receiver -- [flags]

  --port N          where it listens (8443)
  --secret S        the endpoint's secret; repeatable (RECEIVER_SECRET, comma-separated)
  --dir D           the running local stack whose certificate it uses (LOCAL_DIR; .local)
  --cert F --key F  another certificate and its key, in PEM
`;

const main = async (): Promise<void> => {
  const say = (line: string): void => void process.stdout.write(`${shown(line)}\n`);
  const { values: flags } = parseArgs({
    options: {
      port: { type: 'string', default: '8443' },
      secret: {
        type: 'string',
        multiple: true,
        default: (process.env.RECEIVER_SECRET ?? '').split(',').filter((part) => part !== ''),
      },
      dir: { type: 'string', default: process.env.LOCAL_DIR || '.local' },
      cert: { type: 'string' },
      key: { type: 'string' },
      help: { type: 'boolean' },
    },
  });
  if (flags.help) {
    process.stdout.write(`${usage}\n`);
    return;
  }
  const own = flags.cert && flags.key ? { certFile: flags.cert, keyFile: flags.key } : undefined;
  const { port } = await listen({
    ...(own ?? certificateOf(flags.dir)),
    port: portOf(flags.port),
    secrets: () => flags.secret,
    onOther: say,
    onDelivery: ({ id, body: { event, occurred_at, data, links } }) => {
      const name = data.order.external_id ? ` (${data.order.external_id})` : '';
      say(`${occurred_at} ${event}: order ${data.order.id}${name} is ${data.order.status}`);
      say(`    ${links.order}   delivery ${id}`);
    },
  });
  say(`listening on https://localhost:${port}/`);
  if (flags.secret.length === 0)
    say('no --secret was given: responds to handshakes and rejects all webhooks');
};

const certificateOf = (dir: string): { certFile: string; keyFile: string } => {
  const path = join(resolve(dir), 'mesh.json');
  try {
    return JSON.parse(readFileSync(path, 'utf8')).receiver;
  } catch {
    throw new Error(`no local stack is ready in ${dir}: run npm start, or give --cert and --key`);
  }
};

const portOf = (text: string): number => {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw new Error(`--port: expected a port from 0 to 65535, not '${text}'`);
};

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  main().catch((error: Error) => {
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  });
}

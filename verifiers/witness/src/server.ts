import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { parseCheckpoint, parseNote } from '@pto/custody-verifier';
import type { Telemetry } from '@pto/telemetry';
import { originHash, type Witness, type WitnessResponse } from './witness.ts';

/**
 * Creates a server for `POST /add-checkpoint`, `GET /ORIGIN-HASH/checkpoint` and `GET /`, which
 * returns a status in JSON.
 */
export const createWitnessServer = (options: {
  witness: Witness;
  vkey: string;
  telemetry: Telemetry;
  responded: (status: number) => void;
}): Server => {
  const { telemetry } = options;
  const server = createServer((request, response) => {
    respond(request, response, options).catch((err) => {
      telemetry.log.error({ err }, 'a request could not be answered');
      options.responded(500);
      if (!response.headersSent) response.writeHead(500);
      response.end();
    });
  });
  server.headersTimeout = 3000;
  server.requestTimeout = 5000;
  server.maxConnections = 256;
  return server;
};

const respond = async (
  request: IncomingMessage,
  response: ServerResponse,
  { witness, vkey, telemetry, responded }: Parameters<typeof createWitnessServer>[0],
): Promise<void> => {
  const { pathname } = new URL(request.url ?? '/', 'http://witness');
  if (pathname === '/add-checkpoint') {
    if (request.method !== 'POST') return send(response, 405, 'POST only\n', { allow: 'POST' });
    const body = await readBody(request);
    if (!body) send(response, 413, 'the body is too large\n', { connection: 'close' });
    const outcome = body && (await witness.addCheckpoint(body));
    responded(outcome?.status ?? 413);
    if (!outcome) return;
    report(outcome, telemetry);
    return send(response, outcome.status, outcome.body, { 'content-type': outcome.type });
  }
  if (request.method !== 'GET') return send(response, 405, 'GET only\n', { allow: 'GET' });
  const checkpoints = await witness.checkpoints();
  if (pathname === '/') return send(response, 200, statusOf(vkey, checkpoints), json);
  const [, hash] = /^\/([0-9a-f]{64})\/checkpoint$/.exec(pathname) ?? [];
  const [, note] = [...checkpoints].find(([origin]) => originHash(origin) === hash) ?? [];
  if (!note) return send(response, 404, 'not found\n');
  send(response, 200, note);
};

const json = { 'content-type': 'application/json' };

const statusOf = (vkey: string, checkpoints: ReadonlyMap<string, string | null>): string => {
  const logs = [...checkpoints].map(([origin, note]) => ({
    origin,
    size: note === null ? 0 : parseCheckpoint(parseNote(note).text).size,
    checkpoint: note === null ? null : `/${originHash(origin)}/checkpoint`,
  }));
  return `${JSON.stringify({ vkey, logs }, null, 2)}\n`;
};

/**
 * Logs a rejected request. Status 422 is logged as an error, because the checkpoint is signed and
 * was not proven to extend the last cosigned checkpoint: either the log contradicts itself, or only
 * the proof is wrong.
 */
const report = ({ status, reason }: WitnessResponse, { log }: Telemetry): void => {
  if (status === 422)
    log.error({ reason }, 'a signed checkpoint is not proven to continue the cosigned one');
  else if (status !== 200) log.info({ status, reason }, 'a checkpoint was not cosigned');
};

const send = (
  response: ServerResponse,
  status: number,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): void => {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', ...headers }).end(body);
};

/**
 * Maximum size of a request's body in bytes. A body with 63 hashes and a checkpoint with 100
 * signatures is smaller.
 */
const bodyMax = 65_536;

/** Reads the body of a request; null if it is larger than {@link bodyMax} bytes. */
export const readBody = async (request: IncomingMessage): Promise<Buffer | null> => {
  const chunks: Buffer[] = [];
  let length = 0;
  // keep the socket open, so that the response can be sent without reading the rest of the body
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    length += chunk.length;
    if (length > bodyMax) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};

import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { ConfigError } from '@pto/config';
import { parseCheckpoint, parseNote } from '@pto/custody-verifier';
import { vkeyOfWitness } from '@pto/custody-verifier/cosign';
import { type NoteKey, noteKeyOfSeed } from '@pto/custody-verifier/sign-note';
import { listening, type Service } from '@pto/lifecycle';
import { Counter, type Telemetry } from '@pto/telemetry';
import type { WitnessSettings } from './config.ts';
import { openWitness, originHash, type Witness, type WitnessResponse } from './witness.ts';

/** Starts a witness as a service. The port 0 takes a free port. */
export const startWitness = async (
  settings: WitnessSettings,
  telemetry: Telemetry,
): Promise<Service & { port: number; vkey: string }> => {
  const key = readKey(settings);
  const vkey = vkeyOfWitness(key);
  // a log has two keys during a key rotation
  const logs = Map.groupBy(settings.logs, ({ origin }) => origin);
  const witness = await openWitness({ key, logs, folder: settings.stateFolder });
  for (const [origin, note] of await witness.checkpoints())
    if (note === null) telemetry.log.warn({ origin }, 'no state: any first checkpoint is cosigned');
  const requests = new Counter({
    name: 'witness_requests_total',
    help: 'Submitted checkpoints by the status of the response',
    labelNames: ['status'],
    registers: [telemetry.metrics],
  });
  const responded = (status: number) => requests.inc({ status });
  const serving = { witness, vkey, telemetry, responded };
  const server = createServer((request, response) => {
    respond(request, response, serving).catch((err) => {
      telemetry.log.error({ err }, 'a request could not be answered');
      responded(500);
      if (!response.headersSent) response.writeHead(500);
      response.end();
    });
  });
  server.headersTimeout = 3000;
  server.requestTimeout = 5000;
  server.maxConnections = 256;
  const port = await listening(server, settings.port, settings.host);
  telemetry.log.info({ vkey, port, logs: [...logs.keys()] }, 'the witness listens');
  return {
    port,
    vkey,
    checks: { state: async () => void (await witness.checkpoints()) },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeIdleConnections();
      }),
  };
};

/**
 * Reads the witness's key from the environment or from a file.
 * @throws ConfigError if not exactly one of both is given, the file cannot be read, or the seed
 *   does not have 32 bytes. The error does not contain the seed.
 */
const readKey = ({ name, key, keyFile }: WitnessSettings): NoteKey => {
  if ((key !== '') === (keyFile !== ''))
    throw new ConfigError(['WITNESS_KEY or WITNESS_KEY_FILE: give one of the two']);
  const seed = Buffer.from(key || readFile(keyFile), 'base64');
  if (seed.length !== 32)
    throw new ConfigError(['WITNESS_KEY or WITNESS_KEY_FILE: expected 32 bytes in base64']);
  return noteKeyOfSeed(name, seed);
};

const readFile = (path: string): string => {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    throw new ConfigError([`WITNESS_KEY_FILE: ${(error as NodeJS.ErrnoException).code}`]);
  }
};

/** What a request is handled with. */
interface Serving {
  readonly witness: Witness;
  readonly vkey: string;
  readonly telemetry: Telemetry;
  readonly responded: (status: number) => void;
}

/**
 * Handles `POST /add-checkpoint`, `GET /ORIGIN-HASH/checkpoint` and `GET /`, which returns a status
 * in JSON.
 */
const respond = async (
  request: IncomingMessage,
  response: ServerResponse,
  { witness, vkey, telemetry, responded }: Serving,
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
const readBody = async (request: IncomingMessage): Promise<Buffer | null> => {
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

/** Submits the newest anchored checkpoint once to a witness (C2SP tlog-witness). */
import {
  cosignaturesOf,
  parseNote,
  proveConsistency,
  Rejection,
  type WitnessKey,
} from '@pto/custody-verifier';
import type { Database } from '@pto/database';
import { logSizes } from '../checkpoints/stored-checkpoints.ts';
import { nodesOf } from '../log/stored-log.ts';
import type { Witness } from './witness-setting.ts';
import { newestAnchored, setSize, sizeOf, storeCosignature } from './witness-store.ts';

/** Deadline of a request, from the connection to the last byte of the response. */
const deadlineMs = 5000;
const responseMax = 65_536;
/**
 * Number of conflicts after which a submission fails. In a conflict, the witness states that it has
 * cosigned another size than this service assumes.
 */
const conflictsMax = 3;
/** Maximum number of signature lines that are read from a response. */
const linesMax = 10;

/**
 * Reasons why a checkpoint was not cosigned. `failure`: the witness rejects the log or its key, is
 * overloaded, or does not follow the protocol. `contradiction`: the witness knows another log.
 */
export const reasons = ['unreachable', 'failure', 'contradiction'] as const;
export type Reason = (typeof reasons)[number];

interface NotCosigned {
  readonly kind: Reason;
  readonly detail: string;
}

export type Outcome =
  | { readonly kind: 'cosigned' }
  /**
   * No submission is needed: another client has submitted a newer checkpoint of this log to the
   * witness, or no checkpoint is anchored.
   */
  | { readonly kind: 'ahead' }
  | NotCosigned;

/**
 * Submits the newest anchored checkpoint, with a consistency proof from the size that the witness
 * cosigned last. No transaction is open during a request.
 * @param signal aborts the request.
 */
export const submitNewest = async (
  db: Database,
  { key, url }: Witness,
  signal: AbortSignal,
): Promise<Outcome> => {
  for (let conflicts = 0; conflicts < conflictsMax; conflicts++) {
    const newest = await newestAnchored(db);
    const old = await sizeOf(db, key.vkey);
    if (!newest || old > newest.size) return { kind: 'ahead' };
    const path = await proveConsistency(old, newest.size, nodesOf(db));
    const hashes = path.map((hash) => `${Buffer.from(hash).toString('base64')}\n`);
    const response = await post(url, `old ${old}\n${hashes.join('')}\n${newest.note}`, signal);
    if ('kind' in response) return response;
    const meaning = await readResponse(response, newest.note, key);
    if (meaning.kind === 'cosigned') {
      await storeCosignature(db, key.vkey, { size: newest.size, ...meaning });
      return { kind: 'cosigned' };
    }
    if (meaning.kind !== 'conflict') return meaning;
    // read after the response: the witness can know only checkpoints that were signed before its
    // response
    const { signed } = await logSizes(db);
    if (meaning.size > signed)
      return {
        kind: 'contradiction',
        detail: `the witness cosigned a log of ${meaning.size} leaves, and this one has ${signed}`,
      };
    await setSize(db, key.vkey, meaning.size);
  }
  return { kind: 'failure', detail: 'the witness states another size each time' };
};

interface Response {
  readonly status: number;
  readonly body: string;
}

/** Posts a checkpoint to a witness. Redirects are not followed. */
const post = async (
  url: string,
  body: string,
  stopping: AbortSignal,
): Promise<Response | NotCosigned> => {
  const deadline = AbortSignal.timeout(deadlineMs);
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'text/plain; charset=utf-8' },
      body,
      redirect: 'manual',
      signal: AbortSignal.any([stopping, deadline]),
    });
    const chunks: Uint8Array[] = [];
    let length = 0;
    // an exit from the loop closes the connection
    for await (const chunk of response.body ?? []) {
      length += chunk.length;
      if (length > responseMax)
        return { kind: 'unreachable', detail: `the response exceeds ${responseMax} bytes` };
      chunks.push(chunk);
    }
    return { status: response.status, body: Buffer.concat(chunks).toString('utf8') };
  } catch (error) {
    const { code, name } = ((error as Error).cause ?? error) as NodeJS.ErrnoException;
    const detail = deadline.aborted
      ? `no complete response within ${deadlineMs} ms`
      : (code ?? name);
    return { kind: 'unreachable', detail: String(detail) };
  }
};

type Meaning =
  /** The signature line, with its newline, and its time in seconds since the epoch. */
  | { readonly kind: 'cosigned'; readonly line: string; readonly time: number }
  /** The size that the witness cosigned last. */
  | { readonly kind: 'conflict'; readonly size: number }
  | NotCosigned;

/**
 * Interprets a witness's response. A cosignature that is not valid is ignored.
 * @param note the checkpoint that was submitted, a signed note.
 */
const readResponse = async (
  { status, body }: Response,
  note: string,
  witness: WitnessKey,
): Promise<Meaning> => {
  switch (status) {
    case 200:
      return await readCosignature(body, note, witness);
    case 403:
      return { kind: 'failure', detail: 'the witness does not trust the key of the log' };
    case 404:
      return { kind: 'failure', detail: 'the witness does not accept the log' };
    case 409: {
      const [, size] = /^(0|[1-9]\d{0,15})\n?$/.exec(body) ?? [];
      // some witnesses send no size if they have cosigned another log of the submitted size
      return size !== undefined && Number.isSafeInteger(Number(size))
        ? { kind: 'conflict', size: Number(size) }
        : { kind: 'contradiction', detail: 'the witness knows another log of this size' };
    }
    case 422:
      return { kind: 'contradiction', detail: 'the witness rejects a correct consistency proof' };
    default:
      return { kind: 'failure', detail: `unexpected status ${status}` };
  }
};

/**
 * Finds the witness's cosignature. A witness with several keys sends a line for each; lines of
 * other keys are ignored.
 */
const readCosignature = async (
  body: string,
  note: string,
  witness: WitnessKey,
): Promise<Meaning> => {
  const { text } = parseNote(note);
  const own = body.split('\n').filter((line) => line.startsWith(`\u2014 ${witness.name} `));
  for (const line of own.slice(0, linesMax)) {
    const [found] = await cosignaturesOf(`${text}\n${line}\n`, [witness]).catch((error) => {
      if (error instanceof Rejection) return [];
      throw error;
    });
    if (found) return { kind: 'cosigned', line: `${line}\n`, time: found.time };
  }
  return { kind: 'failure', detail: 'the response has no valid cosignature of the witness' };
};

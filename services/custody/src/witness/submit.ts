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
import { nextSubmission, setSize, storeCosignature } from './witness-store.ts';

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

/** The witness did not cosign the checkpoint. */
export class NotCosigned extends Error {
  override readonly name = 'NotCosigned';
  readonly reason: Reason;

  constructor(reason: Reason, detail: string) {
    super(detail);
    this.reason = reason;
  }
}

/**
 * Submits the newest anchored checkpoint, with a consistency proof from the size that the witness
 * cosigned last, and stores the cosignature. Does nothing if no checkpoint is anchored, or if
 * another client has submitted a newer checkpoint of this log to the witness. No transaction is
 * open during a request.
 * @param signal aborts the request.
 * @throws NotCosigned if the witness does not cosign.
 */
export const submitNewest = async (
  db: Database,
  { key, url }: Witness,
  signal: AbortSignal,
): Promise<void> => {
  for (let conflicts = 0; conflicts < conflictsMax; conflicts++) {
    const next = await nextSubmission(db, key.vkey);
    if (!next || next.old > next.size) return;
    const { old, size, note } = next;
    const path = await proveConsistency(old, size, nodesOf(db));
    const hashes = path.map((hash) => `${Buffer.from(hash).toString('base64')}\n`);
    const response = await post(url, `old ${old}\n${hashes.join('')}\n${note}`, signal);
    if (response.status === 200) {
      const cosignature = await readCosignature(response.body, note, key);
      return storeCosignature(db, key.vkey, { size, ...cosignature });
    }
    const known = cosignedSize(response);
    // read after the response: the witness can know only checkpoints that were signed before its
    // response
    const { signed } = await logSizes(db);
    if (known > signed)
      throw new NotCosigned(
        'contradiction',
        `the witness cosigned a log of ${known} leaves, and this one has ${signed}`,
      );
    await setSize(db, key.vkey, known);
  }
  throw new NotCosigned('failure', 'the witness states another size each time');
};

interface Response {
  readonly status: number;
  readonly body: string;
}

/**
 * Posts a checkpoint to a witness. Redirects are not followed.
 * @throws NotCosigned if the witness does not respond completely within the deadline.
 */
const post = async (url: string, body: string, stopping: AbortSignal): Promise<Response> => {
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
        throw new NotCosigned('unreachable', `the response exceeds ${responseMax} bytes`);
      chunks.push(chunk);
    }
    return { status: response.status, body: Buffer.concat(chunks).toString('utf8') };
  } catch (error) {
    if (error instanceof NotCosigned) throw error;
    const { code, name } = ((error as Error).cause ?? error) as NodeJS.ErrnoException;
    const detail = deadline.aborted
      ? `no complete response within ${deadlineMs} ms`
      : (code ?? name);
    throw new NotCosigned('unreachable', detail);
  }
};

/**
 * Returns the size that the witness cosigned last, from a response of status 409.
 * @throws NotCosigned for any other response.
 */
const cosignedSize = ({ status, body }: Response): number => {
  switch (status) {
    case 403:
      throw new NotCosigned('failure', 'the witness does not trust the key of the log');
    case 404:
      throw new NotCosigned('failure', 'the witness does not accept the log');
    case 409: {
      const [, size] = /^(0|[1-9]\d{0,15})\n?$/.exec(body) ?? [];
      if (size !== undefined && Number.isSafeInteger(Number(size))) return Number(size);
      // some witnesses send no size if they have cosigned another log of the submitted size
      throw new NotCosigned('contradiction', 'the witness knows another log of this size');
    }
    case 422:
      throw new NotCosigned('contradiction', 'the witness rejects a correct consistency proof');
    default:
      throw new NotCosigned('failure', `unexpected status ${status}`);
  }
};

/**
 * Finds the witness's cosignature in a response. A witness with several keys sends a line for each;
 * lines of other keys, and cosignatures that are not valid, are ignored.
 * @param note the checkpoint that was submitted, a signed note.
 * @returns the signature line, with its newline, and its time in seconds since the epoch.
 * @throws NotCosigned if the response has none.
 */
const readCosignature = async (
  body: string,
  note: string,
  witness: WitnessKey,
): Promise<{ line: string; time: number }> => {
  const { text } = parseNote(note);
  const own = body.split('\n').filter((line) => line.startsWith(`\u2014 ${witness.name} `));
  for (const line of own.slice(0, linesMax)) {
    const [found] = await cosignaturesOf(`${text}\n${line}\n`, [witness]).catch((error) => {
      if (error instanceof Rejection) return [];
      throw error;
    });
    if (found) return { line: `${line}\n`, time: found.time };
  }
  throw new NotCosigned('failure', 'the response has no valid cosignature of the witness');
};

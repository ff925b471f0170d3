/** A witness (C2SP tlog-witness). It cosigns only checkpoints that extend the last cosigned one. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import {
  type Checkpoint,
  consistencyFault,
  emptyRoot,
  type LogKey,
  parseCheckpoint,
  parseNote,
  Rejection,
  signersOf,
} from '@pto/custody-verifier';
import { cosign } from '@pto/custody-verifier/cosign';
import type { NoteKey } from '@pto/custody-verifier/sign-note';
import { openStateFolder, type StateFolder } from './state-folder.ts';

export interface WitnessResponse {
  readonly status: number;
  readonly type: 'text/plain; charset=utf-8' | 'text/x.tlog.size';
  readonly body: string;
  /** Why the checkpoint is not cosigned, for the witness's log output. */
  readonly reason?: string;
}

export type Witness = Awaited<ReturnType<typeof openWitness>>;

interface Log {
  readonly keys: readonly LogKey[];
  readonly state: StateFolder;
  readonly next: ReturnType<typeof inOrder>;
}

/**
 * Returns the SHA-256 hash of a log's origin in hex. It names the log's folder and its path in the
 * monitoring interface.
 */
export const originHash = (origin: string): string =>
  createHash('sha256').update(origin).digest('hex');

/** @param options.logs the keys of each log that the witness accepts, by the log's origin. */
export const openWitness = async (options: {
  readonly key: NoteKey;
  readonly logs: ReadonlyMap<string, readonly { readonly key: LogKey }[]>;
  readonly folder: string;
}) => {
  const byOrigin = new Map<string, Log>();
  for (const [origin, of] of options.logs) {
    const state = await openStateFolder(join(options.folder, originHash(origin)));
    byOrigin.set(origin, { keys: of.map(({ key }) => key), state, next: inOrder() });
  }
  return {
    /** Handles `POST /add-checkpoint`. @throws Error if the state cannot be read or written. */
    addCheckpoint: async (body: Uint8Array): Promise<WitnessResponse> => {
      const request = parseRequest(body);
      if (!request) return plain(400, 'the request is malformed');
      const log = byOrigin.get(request.checkpoint.origin);
      if (!log) return plain(404, `the log ${request.checkpoint.origin} is unknown`);
      if (!(await isSigned(request.note, log.keys)))
        return plain(403, 'no trusted key of the log signed');
      const outcome = await log.next(() => cosignNext(log.state, request, options.key));
      return outcome ?? plain(503, 'too many requests wait');
    },
    /**
     * Returns the last cosigned checkpoint of each log, with its cosignature, by origin; null if
     * there is none.
     */
    checkpoints: async () => {
      const found = new Map<string, string | null>();
      for (const [origin, { state }] of byOrigin) found.set(origin, (await state.read()).note);
      return found;
    },
  };
};

/**
 * Cosigns a checkpoint that is proven to extend the last cosigned one: stores the cosigned
 * checkpoint durably, and only then returns the cosignature.
 */
const cosignNext = async (
  state: StateFolder,
  { old, proof, note, text, checkpoint: next }: AddCheckpoint,
  key: NoteKey,
): Promise<WitnessResponse> => {
  const before = await state.read();
  const last =
    before.note === null
      ? { size: 0, root: emptyRoot() }
      : parseCheckpoint(parseNote(before.note).text);
  if (old > next.size) return plain(400, 'the old size is larger than the checkpoint');
  if (old !== last.size) {
    const reason = `the last cosigned checkpoint has size ${last.size}`;
    return { status: 409, type: 'text/x.tlog.size', body: `${last.size}\n`, reason };
  }
  if (next.size === 0 && Buffer.compare(next.root, emptyRoot()) !== 0)
    return plain(422, 'an empty log has the root of the empty tree');
  const fault = consistencyFault(last, next, proof);
  if (fault !== null) return plain(422, fault);
  const line = cosign(text, Math.floor(Date.now() / 1000), key);
  await state.write(before, note + line);
  return { status: 200, type: 'text/plain; charset=utf-8', body: line };
};

/**
 * Whether a trusted key of the log signed the note. False if any signature of a trusted key is
 * invalid.
 */
const isSigned = async (note: string, keys: readonly LogKey[]): Promise<boolean> => {
  try {
    return (await signersOf(note, keys)).signers.length > 0;
  } catch (error) {
    if (error instanceof Rejection) return false;
    throw error;
  }
};

const plain = (status: number, reason: string): WitnessResponse => ({
  status,
  type: 'text/plain; charset=utf-8',
  body: `${reason}\n`,
  reason,
});

/** Maximum number of calls that wait or run. A further call returns null. */
const waitingMax = 32;

/** Returns a function that runs calls one after the other, in order of arrival. */
const inOrder = () => {
  let waiting = 0;
  let last: Promise<unknown> = Promise.resolve();
  /** @returns what `work` returns; null if too many calls wait. */
  return async <T>(work: () => Promise<T>): Promise<T | null> => {
    if (waiting >= waitingMax) return null;
    waiting++;
    const result = last.then(work);
    last = result.catch(() => {});
    return await result.finally(() => {
      waiting--;
    });
  };
};

/** The request `POST /add-checkpoint` (C2SP tlog-witness). */
interface AddCheckpoint {
  /** The size of the log at which the consistency proof starts. */
  readonly old: number;
  /** Hashes of the consistency proof, 32 bytes each. */
  readonly proof: readonly Uint8Array[];
  /** The signed note as it was sent. */
  readonly note: string;
  /** The signed text of the note. */
  readonly text: string;
  readonly checkpoint: Checkpoint;
}

/** Parses the body of a request. @returns null if the body is malformed. */
const parseRequest = (body: Uint8Array): AddCheckpoint | null => {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body);
    const end = text.indexOf('\n\n');
    const [first, ...lines] = text.slice(0, end).split('\n');
    const [, old] = /^old (0|[1-9]\d{0,15})$/.exec(first!) ?? [];
    if (end < 0 || old === undefined || !Number.isSafeInteger(Number(old))) return null;
    if (lines.length > proofMax || !lines.every(isHash)) return null;
    const note = text.slice(end + 2);
    const signed = parseNote(note);
    return {
      old: Number(old),
      proof: lines.map((line) => Buffer.from(line, 'base64')),
      note,
      text: signed.text,
      checkpoint: parseCheckpoint(signed.text),
    };
  } catch {
    return null; // not UTF-8, not a note or not a checkpoint
  }
};

const proofMax = 63;

/** Whether a line is 32 bytes in canonical base64. */
const isHash = (line: string): boolean =>
  /^[A-Za-z0-9+/]{43}=$/.test(line) && Buffer.from(line, 'base64').toString('base64') === line;

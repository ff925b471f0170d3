import { createHmac, timingSafeEqual } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { type AnchorProgress, anchorStart } from '../verification/check-anchor.ts';
import { CompactRange } from '../verification/compact-range.ts';

/** What the auditor has verified, stored where who holds the database cannot reach it. */
export interface AuditorState {
  /** Keys it trusts: those of the first checkpoint it saw, and those that signed beside them. */
  readonly vkeys: readonly string[];
  /** The newest checkpoint whose signature it verified. */
  readonly note: string | null;
  /** The leaves that the audit of new entries has verified. */
  readonly log: LogPosition;
  /** The notes of the anchor that the audit of new entries has verified. */
  readonly anchor: AnchorProgress;
  /** The order index that was verified last; null before the first. */
  readonly index: IndexPosition | null;
  readonly full: FullProgress;
  /** When a full audit was completed; ISO 8601, null before the first. */
  readonly fullCompletedAt: string | null;
}

/** A position in the log with the hashes that continue it: base64, the largest subtree first. */
export interface LogPosition {
  readonly size: number;
  readonly hashes: readonly string[];
}

/** An order index over the log's first leaves; its root in base64. */
export interface IndexPosition {
  readonly size: number;
  readonly root: string;
}

/** How far the rolling full audit has come. */
export interface FullProgress {
  readonly phase: 'orders' | 'log' | 'anchor';
  readonly afterOrderId: string;
  readonly log: LogPosition;
  readonly anchor: AnchorProgress;
  /** Identities of the violations that were found since it began. */
  readonly found: readonly string[];
}

const logStart: LogPosition = { size: 0, hashes: [] };

export const fullStart: FullProgress = {
  phase: 'orders',
  afterOrderId: '',
  log: logStart,
  anchor: anchorStart,
  found: [],
};

const empty: AuditorState = {
  vkeys: [],
  note: null,
  log: logStart,
  anchor: anchorStart,
  index: null,
  full: fullStart,
  fullCompletedAt: null,
};

export const toRange = ({ size, hashes }: LogPosition): CompactRange =>
  new CompactRange(
    size,
    hashes.map((hash) => Buffer.from(hash, 'base64')),
  );

export const toPosition = ({ size, hashes }: CompactRange): LogPosition => ({
  size,
  hashes: hashes.map((hash) => Buffer.from(hash).toString('base64')),
});

/** The file: the state as text, and its HMAC-SHA256 under the auditor's key. */
interface SignedState {
  readonly state: string;
  readonly mac: string;
}

/**
 * The state in that file; the initial one where there is no file. A file of the release before has
 * no signature and only `vkeys` and `note`: it is adopted.
 * @throws Error for a file that is none, or whose signature is not the key's.
 */
export const readState = (path: string, key: Buffer): AuditorState => {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return empty;
    throw error;
  }
  const file = JSON.parse(text) as SignedState | Pick<AuditorState, 'vkeys' | 'note'>;
  if (!('state' in file)) return { ...empty, vkeys: file.vkeys, note: file.note };
  const [given, expected] = [Buffer.from(file.mac, 'base64'), macOf(key, file.state)];
  if (given.length !== expected.length || !timingSafeEqual(given, expected))
    throw new Error(
      `${path} is not signed with CUSTODY_AUDITOR_STATE_KEY: somebody changed the file or the key`,
    );
  return JSON.parse(file.state) as AuditorState;
};

/** Writes the state completely or not at all. */
export const writeState = async (path: string, key: Buffer, state: AuditorState): Promise<void> => {
  const text = JSON.stringify(state);
  const signed: SignedState = { state: text, mac: macOf(key, text).toString('base64') };
  const file = await open(`${path}.part`, 'w', 0o600);
  try {
    await file.writeFile(JSON.stringify(signed));
    await file.datasync();
  } finally {
    await file.close();
  }
  await rename(`${path}.part`, path);
};

const macOf = (key: Buffer, text: string): Buffer =>
  createHmac('sha256', key).update(text).digest();

import { createHmac, timingSafeEqual } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import type { Anchor } from '../anchor/anchor.ts';
import { type AnchorProgress, anchorStart } from '../verification/check-anchor.ts';
import { type LogPosition, logStart } from '../verification/compact-range.ts';
import type { Verifier } from '../verification/verify-orders.ts';
import { identityOf, type Violation } from '../verification/violation.ts';

/** The dependencies of all parts of an audit. */
export interface Auditing extends Verifier {
  readonly anchor: Anchor;
  readonly stopping: AbortSignal;
  /** Counts verified entries for the metric; called after each page. */
  readonly verified: (entries: number) => void;
}

/**
 * What the auditor has verified. It is stored where an attacker with access to the database cannot
 * change it.
 */
export interface AuditorState {
  /**
   * Trusted keys: those of the first checkpoint, and those that later signed together with a
   * trusted key.
   */
  readonly vkeys: readonly string[];
  /** The newest checkpoint whose signature the auditor has verified. */
  readonly note: string | null;
  /** Position up to which the audit of new entries has verified the log. */
  readonly log: LogPosition;
  /** Position up to which the audit of new entries has verified the anchor's notes. */
  readonly anchor: AnchorProgress;
  /** The last verified order index; null before the first. */
  readonly index: IndexPosition | null;
  readonly full: FullProgress;
  /** Time of the last completed full audit, ISO 8601; null before the first. */
  readonly fullCompletedAt: string | null;
}

/** The state after a part of an audit, and what it has found. */
export interface Audited {
  readonly state: AuditorState;
  readonly violations: readonly Violation[];
}

export interface Pass extends Audited {
  /**
   * Identities of the violations that a full audit has found; null if this pass completed no full
   * audit, or if the full audit found `foundMax` violations or more.
   */
  readonly completed: readonly string[] | null;
  /** Whether this pass completed a full audit. */
  readonly isComplete: boolean;
}

/**
 * Maximum number of violations that a full audit remembers. If it finds that many or more, no
 * stored violation is resolved at its end.
 */
export const foundMax = 10_000;

/** An order index over the first leaves of the log; its root in base64. */
export interface IndexPosition {
  readonly size: number;
  readonly root: string;
}

/** Progress of the rolling full audit. */
export interface FullProgress {
  readonly phase: 'orders' | 'log' | 'anchor';
  readonly afterOrderId: string;
  readonly log: LogPosition;
  readonly anchor: AnchorProgress;
  /**
   * Identities of the violations that the auditor has found since this full audit began; at most
   * {@link foundMax}.
   */
  readonly found: readonly string[];
}

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

/** Adds violations to those that the current full audit has found. */
export const withFound = (state: AuditorState, violations: readonly Violation[]): AuditorState => {
  const found = new Set([...state.full.found, ...violations.map(identityOf)]);
  return { ...state, full: { ...state.full, found: [...found].slice(0, foundMax) } };
};

/** Content of the file: the state as text, and its HMAC-SHA256 with the auditor's key. */
interface SignedState {
  readonly state: string;
  readonly mac: string;
}

/** The first key signs, all verify. */
type StateKeys = readonly [Buffer, ...Buffer[]];

/**
 * Reads the state as `readState` does, and writes it again, so that the first key signs it even if
 * no later state is written: the operator can then remove the other keys.
 */
export const openState = async (path: string, keys: StateKeys): Promise<AuditorState> => {
  const state = readState(path, keys);
  if (state !== empty) await writeState(path, keys, state);
  return state;
};

/**
 * Reads the state from the file; returns the initial state if the file does not exist.
 * @throws Error for a file that cannot be read or parsed, or whose HMAC is absent or is not one of
 *   these keys'.
 */
export const readState = (path: string, keys: StateKeys): AuditorState => {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return empty;
    throw error;
  }
  const { state = '', mac = '' } = JSON.parse(text) as Partial<SignedState>;
  // as text: decoding would ignore what stands behind the base64
  const given = Buffer.from(mac);
  const isGenuine = keys.some((key) => {
    const expected = Buffer.from(macOf(key, state));
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
  if (!isGenuine)
    throw new Error(
      `${path} is not signed with CUSTODY_AUDITOR_STATE_KEY: somebody changed the file or the key`,
    );
  return JSON.parse(state) as AuditorState;
};

/** Writes the state atomically. */
export const writeState = async (
  path: string,
  [key]: StateKeys,
  state: AuditorState,
): Promise<void> => {
  const text = JSON.stringify(state);
  const signed: SignedState = { state: text, mac: macOf(key, text) };
  const file = await open(`${path}.part`, 'w', 0o600);
  try {
    await file.writeFile(JSON.stringify(signed));
    await file.datasync();
  } finally {
    await file.close();
  }
  await rename(`${path}.part`, path);
};

const macOf = (key: Buffer, text: string): string =>
  createHmac('sha256', key).update(text).digest('base64');

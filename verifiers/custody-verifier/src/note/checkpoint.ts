/**
 * The signed text of a log's state (C2SP tlog-checkpoint): origin, size and root, one line each.
 */
import { fromBase64, toBase64 } from '../bytes.ts';
import { isInstant } from '../entry-form.ts';
import type { LogState } from '../log/verify-paths.ts';
import { Rejection } from '../rejection.ts';

export interface Checkpoint extends LogState {
  /** The name of the log, which is also the name of its keys. */
  readonly origin: string;
}

/** Returns the text of a checkpoint, which the log signs. */
export const checkpointText = ({ origin, size, root }: Checkpoint): string =>
  `${origin}\n${size}\n${toBase64(root)}\n`;

/**
 * Parses a checkpoint's text. Lines after the third are extensions and are ignored here.
 * @throws Rejection for a malformed text.
 */
export const parseCheckpoint = (text: string): Checkpoint => {
  const [origin, size, root, ...extensions] = text.split('\n');
  if (!origin || size === undefined || extensions.pop() !== '')
    throw new Rejection('a checkpoint has three lines: origin, size, root');
  if (extensions.includes('')) throw new Rejection('a checkpoint has no empty lines');
  if (!/^(?:0|[1-9]\d*)$/.test(size) || !Number.isSafeInteger(Number(size)))
    throw new Rejection('the size of a checkpoint is a decimal number without leading zeros');
  return { origin, size: Number(size), root: fromBase64(root, 32) };
};

/**
 * The extension lines of a checkpoint (C2SP tlog-checkpoint), covered by the note's signatures:
 * `order-index/1 <base64 of the index's root>` and `time <YYYY-MM-DDTHH:mm:ss.sssZ>`. The time is
 * the log's own claim. Other lines are ignored.
 */
export interface CheckpointLines {
  /** 32 bytes; null in a checkpoint that was signed before the index existed. */
  readonly indexRoot: Uint8Array | null;
  /**
   * The log's time of signing, `YYYY-MM-DDTHH:mm:ss.sssZ`; null if the checkpoint has no such line.
   */
  readonly time: string | null;
}

/** Returns the extension lines that the log signs after the text of `checkpointText`. */
export const checkpointLines = ({ indexRoot, time }: CheckpointLines): string =>
  (indexRoot ? `${indexName} ${toBase64(indexRoot)}\n` : '') +
  (time ? `${timeName} ${time}\n` : '');

/**
 * Parses the extension lines of a checkpoint's signed text.
 * @throws Rejection for a duplicate or malformed line.
 */
export const readCheckpointLines = (text: string): CheckpointLines => {
  const lines = text.split('\n').slice(3);
  const root = lineOf(lines, indexName);
  const time = lineOf(lines, timeName);
  if (time !== null && !isInstant(time))
    throw new Rejection('the time of a checkpoint is not written YYYY-MM-DDTHH:mm:ss.sssZ');
  return { indexRoot: root === null ? null : fromBase64(root, 32), time };
};

const indexName = 'order-index/1';
const timeName = 'time';

const lineOf = (lines: readonly string[], name: string): string | null => {
  const found = lines.filter((line) => line.startsWith(`${name} `));
  if (found.length > 1) throw new Rejection(`a checkpoint has one line '${name}'`);
  return found[0]?.slice(name.length + 1) ?? null;
};

/**
 * Extension lines of a checkpoint (C2SP tlog-checkpoint), covered by the note's signatures:
 * `order-index/1 <base64 of the index's root>` and `time <YYYY-MM-DDTHH:mm:ss.sssZ>`. The time is
 * the log's own claim. Other lines are ignored.
 */
import { fromBase64, toBase64 } from '../bytes/base64.ts';
import { isInstant } from '../entry-form.ts';
import { Rejection } from '../rejection.ts';

/** The values of a checkpoint's extension lines. */
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

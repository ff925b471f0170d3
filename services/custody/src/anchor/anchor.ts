import { readCheckpoint } from '../log/note-signer.ts';

/**
 * Stores checkpoints outside the database, so that a rewritten database contradicts them. A stored
 * checkpoint never changes. The anchor has all checkpoints of the last day (the newest one may be
 * missing), and at least the first checkpoint of each earlier hour. Hourly checkpoints are stored
 * for years, all other checkpoints for {@link recentMs}.
 */
export interface Anchor {
  /** Returns the newest note, or null if the anchor is empty. */
  last(): Promise<string | null>;
  /**
   * Stores a note. Does nothing if the note is stored already with this retention. An anchor may
   * also skip a note over fewer leaves than its newest note covers.
   * @param hourly true: the note is stored for the full retention; false: for {@link recentMs}.
   * @throws Error if the newest note covers the same number of leaves and has another text.
   */
  append(note: string, hourly: boolean): Promise<void>;
  /**
   * Returns notes in ascending order of their sizes.
   * @param behind the mark after which to begin; empty to begin at the first note.
   */
  notes(behind: string): AsyncIterable<AnchoredNote>;
  close(): void;
}

export interface AnchoredNote {
  readonly note: string;
  /** Mark of this note: `notes` continues after it. */
  readonly mark: string;
}

const dayMs = 86_400_000;

/** Retention of a note that is not the first of an hour, in ms. */
export const recentMs = 2 * dayMs;

/** Returns the number of leaves that a note covers; -1 for null or a text that is no checkpoint. */
export const sizeOf = (note: string | null): number => {
  try {
    return note === null ? -1 : readCheckpoint(note).size;
  } catch {
    return -1;
  }
};

/** Returns the note that covers more leaves; null if neither text is a checkpoint. */
export const newer = (one: string | null, other: string | null): string | null => {
  const newest = sizeOf(one) >= sizeOf(other) ? one : other;
  return sizeOf(newest) < 0 ? null : newest;
};

/**
 * Merges streams of notes into one stream, in ascending order of size. Each given stream must be in
 * ascending order as well. A note that two streams contain is returned one time. A text that is not
 * a checkpoint has no size and is returned before the next notes of the other streams.
 */
export async function* mergeNotes<Note extends { readonly note: string }>(
  streams: readonly AsyncIterator<Note>[],
): AsyncGenerator<Note> {
  const heads = await Promise.all(streams.map((stream) => stream.next()));
  let last: string | null = null;
  for (;;) {
    let first = -1;
    let least = Number.POSITIVE_INFINITY;
    for (const [n, head] of heads.entries()) {
      const size = head.done ? least : sizeOf(head.value.note);
      if (size < least) [first, least] = [n, size];
    }
    const head = heads[first];
    if (!head || head.done) return;
    if (head.value.note !== last) yield head.value;
    last = head.value.note;
    heads[first] = await streams[first]!.next();
  }
}

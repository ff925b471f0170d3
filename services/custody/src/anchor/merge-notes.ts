import { readCheckpoint } from '../notes/note-signer.ts';

/** A stored note and its position in the storage. */
export interface PlacedNote<Place> {
  readonly note: string;
  readonly place: Place;
}

/** Returns the number of leaves that a note covers, or null for a text that is not a checkpoint. */
export const sizeOf = (note: string): number | null => {
  try {
    return readCheckpoint(note).size;
  } catch {
    return null;
  }
};

/** Returns the note that covers more leaves; null if neither text is a checkpoint. */
export const newer = (one: string | null, other: string | null): string | null => {
  const [a, b] = [one === null ? null : sizeOf(one), other === null ? null : sizeOf(other)];
  if (b === null) return a === null ? null : one;
  return a !== null && a >= b ? one : other;
};

/**
 * Merges streams of notes into one stream, in ascending order of size. Each given stream must be in
 * ascending order as well. A note that two streams contain is returned one time. A text that is not
 * a checkpoint has no size and is returned before the next notes of the other streams.
 */
export async function* mergeNotes<Place>(
  streams: readonly AsyncIterator<PlacedNote<Place>>[],
): AsyncGenerator<PlacedNote<Place>> {
  const heads = await Promise.all(streams.map((stream) => stream.next()));
  let last: string | null = null;
  for (;;) {
    let first = -1;
    let least = Number.POSITIVE_INFINITY;
    for (const [n, head] of heads.entries()) {
      if (head.done) continue;
      const size = sizeOf(head.value.note) ?? -1;
      if (size < least) [first, least] = [n, size];
    }
    const head = heads[first];
    if (!head || head.done) return;
    if (head.value.note !== last) yield head.value;
    last = head.value.note;
    heads[first] = await streams[first]!.next();
  }
}

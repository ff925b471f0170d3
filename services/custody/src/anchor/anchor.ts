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

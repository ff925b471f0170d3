/**
 * Where checkpoints are stored outside the database, so that a rewritten database contradicts them.
 * An anchor only grows. It holds every checkpoint of the last day, and of each earlier hour at least
 * the first one: the hourly ones stay for years, the others for {@link recentMs}.
 */
export interface Anchor {
  /** The newest note, or null where the anchor is empty. */
  last(): Promise<string | null>;
  /**
   * Stores a note; a note that is stored already stays as it is.
   * @param hourly whether the note stays for the full retention, or for {@link recentMs}.
   * @throws Error where another note over the same number of leaves is stored.
   */
  append(note: string, hourly: boolean): Promise<void>;
  /** Notes in ascending order of their sizes, from the first one or from behind a mark. */
  notes(behind: string): AsyncIterable<AnchoredNote>;
  close(): void;
}

export interface AnchoredNote {
  readonly note: string;
  /** `notes` continues behind it. */
  readonly mark: string;
}

const dayMs = 86_400_000;

/** How long a note that is not an hour's first one is stored, at least. */
export const recentMs = 2 * dayMs;

/**
 * Where checkpoints are kept outside of the database's trust, so that whoever rewrites the database
 * contradicts what stands here. Only ever appended to.
 */
export interface Anchor {
  /** The newest note, or null where there is none yet. */
  last(): Promise<string | null>;
  append(note: string): Promise<void>;
  /** Notes from the oldest on, or from behind a mark on, each once; for whoever verifies. */
  notes(behind: string): AsyncIterable<AnchoredNote>;
  close(): void;
}

export interface AnchoredNote {
  readonly note: string;
  /** Where it ends: `notes` goes on behind it. */
  readonly mark: string;
}

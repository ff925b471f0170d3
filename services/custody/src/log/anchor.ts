/**
 * Where checkpoints are kept outside of the database's trust, so that whoever rewrites the database
 * contradicts what stands here. Only ever appended to.
 */
export interface Anchor {
  /** The newest note, or null where there is none yet. */
  last(): Promise<string | null>;
  append(note: string): Promise<void>;
  /** All notes from the oldest on, each once; for the auditor. */
  all(): AsyncIterable<string>;
  close(): void;
}

/** Whose messages are meant: one consumer group's of one topic. */
export interface Source {
  readonly group: string;
  readonly topic: string;
}

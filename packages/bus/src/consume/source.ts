/** A consumer group on a topic. */
export interface Source {
  readonly group: string;
  readonly topic: string;
}

/** A topic and the consumer group that reads it: identifies a consumer. */
export interface Source {
  readonly group: string;
  readonly topic: string;
}

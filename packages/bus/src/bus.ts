/** What is handed over: `key` orders messages, `id` is the event's id and drops duplicates. */
export interface OutgoingMessage {
  readonly topic: string;
  /** Messages of one key and topic arrive in the order in which they were published. */
  readonly key: string;
  /** The event's id, a UUIDv7. */
  readonly id: string;
  readonly type: string;
  /** W3C trace context of the work that caused the message. */
  readonly traceparent?: string | undefined;
  readonly requestId?: string | undefined;
  /** On dead letters only: why the message was parked. */
  readonly reason?: string | undefined;
  readonly value: Uint8Array;
}

export interface IncomingMessage extends OutgoingMessage {
  readonly partition: number;
  /** A decimal number, growing within the partition. */
  readonly offset: string;
}

/**
 * Messages of one partition from offset `from` to before `to`. A topic that was deleted and created
 * again counts as one message: how many were lost is unknown.
 */
export interface LostMessages {
  readonly topic: string;
  readonly partition: number;
  readonly from: string;
  readonly to: string;
}

/**
 * What a consumer has handled, stored by the consumer beside the effects: the offset after the last
 * handled message of each partition. Kafka's committed offsets can be moved, and a restored database
 * does not take them back with it.
 */
export interface Positions {
  /** Returns the stored offsets of the topic, by partition. */
  read(topic: string): Promise<ReadonlyMap<number, bigint>>;
  save(topic: string, partition: number, next: bigint): Promise<void>;
}

export interface SubscribeOptions {
  /** Every group gets every message; the members of one group share them. */
  readonly group: string;
  readonly topics: readonly string[];
  /** Most messages handed over at once (200). */
  readonly batchMax?: number;
  /**
   * Gets messages of one partition, in order, at least once. When it resolves they are done; when
   * it rejects the same messages come again after a growing pause, and other partitions go on.
   * The signal is aborted when the partition is lost or the process must stop.
   */
  handle(batch: readonly IncomingMessage[], signal: AbortSignal): Promise<void>;
  /**
   * Called with messages that the bus deleted before the group had read them: at least once for
   * each. The bus on PostgreSQL deletes no such message (postgres/retention.ts).
   */
  lost?(range: LostMessages): void;
  /** Used by the bus on Kafka; the offsets of the bus on PostgreSQL change with its messages only. */
  readonly positions?: Positions;
}

export interface Subscription {
  /** Finishes the batches in hand and leaves the group. */
  stop(): Promise<void>;
}

export interface Topic {
  readonly name: string;
  /** 12 unless told. */
  readonly partitions?: number;
}

/** The port that all of this system's events go through; Kafka or PostgreSQL stands behind it. */
export interface Bus {
  /**
   * Resolves when every message is kept by all in-sync replicas, in the given order per key. Order
   * between two calls holds only if the second is made after the first has resolved.
   * @throws Failure SERVICE_UNAVAILABLE; then some of the messages may have been kept all the same.
   */
  publish(messages: readonly OutgoingMessage[]): Promise<void>;
  /** A group that is new starts with the oldest message there is. */
  subscribe(options: SubscribeOptions): Promise<Subscription>;
  /** Makes what is missing; several processes may ask at once. */
  ensureTopics(topics: readonly Topic[]): Promise<void>;
  /** Messages of the topic that the group has not finished yet. */
  lag(group: string, topic: string): Promise<number>;
  /** Resolves if a consumer has stopped forever: the process must end and be started again. */
  readonly crashed: Promise<Error>;
  /** Stops all subscriptions and waits for what is being published. */
  close(): Promise<void>;
}

export const defaultPartitions = 12;
export const defaultBatchMax = 200;

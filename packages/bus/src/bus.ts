/**
 * A message to publish. Messages with the same `key` stay in order. Consumers recognize a repeated
 * message by its `id`.
 */
export interface OutgoingMessage {
  readonly topic: string;
  /** Messages with the same key and topic arrive in the order in which they were published. */
  readonly key: string;
  /** The event's id, a UUIDv7. */
  readonly id: string;
  readonly type: string;
  /** W3C trace context of the work that caused the message. */
  readonly traceparent?: string | undefined;
  readonly requestId?: string | undefined;
  /**
   * Number of the topic's first partitions among which the key decides; all by default. Kafka uses
   * it: partitions can be added there at any time.
   */
  readonly partitions?: number | undefined;
  /** Why the message was parked; set on dead letters only. */
  readonly reason?: string | undefined;
  readonly value: Uint8Array;
}

export interface IncomingMessage extends OutgoingMessage {
  readonly partition: number;
  /** A decimal number that grows within the partition. */
  readonly offset: string;
}

/**
 * Stores, for each partition, the offset after the last message that the consumer has handled. The
 * consumer stores the offset in the database of its effects, because Kafka's tools can move Kafka's
 * committed offsets, and a restore of the database does not reset them.
 */
export interface Positions {
  /** Returns the stored offsets by partition. */
  read(): Promise<ReadonlyMap<number, bigint>>;
  /** Does nothing if this process has stored the same offset last, for example with the effects. */
  save(partition: number, next: bigint): Promise<void>;
  /**
   * Returns the offset that this process has read or stored last. `handle` compares it with the
   * stored one. Undefined if the stored one must be read, for example because it has moved back.
   */
  known(partition: number): bigint | undefined;
}

export interface SubscribeOptions {
  /** Each group receives every message; each message goes to one member of the group. */
  readonly group: string;
  readonly topic: string;
  /** Maximum number of messages per call of `handle`; 200 by default. */
  readonly batchMax?: number;
  /**
   * Whether Kafka holds messages back for up to 250 ms, so that more of them share a batch. For
   * effects that nobody waits for. The bus on PostgreSQL passes messages on at once.
   */
  readonly linger?: boolean;
  /**
   * Handles messages of one partition, in order, at least once. If the promise resolves, the
   * messages count as handled. If the promise rejects, the bus delivers the same messages again
   * after a pause that grows with each failure; other partitions continue. The signal is aborted
   * when the member has lost the partition, or if the batch has not ended 5 s after the member
   * began to stop.
   */
  handle(batch: readonly IncomingMessage[], signal: AbortSignal): Promise<void>;
  /**
   * Called with the number of messages that the bus deleted before the group had read them. Each
   * such message is reported at least once. For a topic that was deleted and created again the number
   * is unknown, so it is 1 for each partition. The bus on PostgreSQL deletes no such message.
   */
  lost?(count: number): void;
  /** Used by Kafka. The bus on PostgreSQL stores offsets and messages in one database. */
  readonly positions?: Positions;
}

export interface Subscription {
  /** Waits up to 5 s for the running batches, then aborts them. Leaves the group. */
  stop(): Promise<void>;
}

export interface Topic {
  readonly name: string;
  readonly partitions: number;
}

/** Ends of the partitions of a topic: the offset after the newest message of each. */
export type Ends = ReadonlyMap<number, bigint>;

/** The port for all events of this system. Kafka or PostgreSQL implements it. */
export interface Bus {
  /**
   * Publishes the messages, in the given order for each key. Resolves when all in-sync replicas of
   * Kafka, or PostgreSQL, have stored every message. To keep the order between two calls, start the
   * second call after the first has resolved.
   * @throws Failure SERVICE_UNAVAILABLE; some of the messages may have been published nevertheless.
   */
  publish(messages: readonly OutgoingMessage[]): Promise<void>;
  /** Subscribes a group to a topic. A new group starts at the oldest message. */
  subscribe(options: SubscribeOptions): Promise<Subscription>;
  /** Creates the topics that are missing. Several processes may call this at the same time. */
  ensureTopics(topics: readonly Topic[]): Promise<void>;
  /** Returns the offset after the newest message of each partition. */
  ends(topic: string): Promise<Ends>;
  /**
   * Returns the number of messages of the topic that the group has not handled yet.
   * @param upTo counts only messages before these ends, none of a partition that they lack.
   */
  lag(group: string, topic: string, upTo?: Ends): Promise<number>;
  /**
   * Resolves when a consumer has stopped and will not restart: the process must end and be
   * restarted. Never resolves for the bus on PostgreSQL.
   */
  readonly crashed: Promise<Error>;
  /** Stops all subscriptions and waits for the messages that are being published. */
  close(): Promise<void>;
}

export const defaultBatchMax = 200;

/** An event of an order, as a webhook and the event feed carry it. */
export interface EventFields {
  readonly event: string;
  /** Time of the event, `YYYY-MM-DDTHH:mm:ss.sssZ`. */
  readonly occurredAt: string;
  readonly order: {
    readonly id: string;
    readonly externalId: string | null;
    /** A value of contract 3.1, in any case. */
    readonly status: string;
    readonly updatedAt: string;
    readonly sequence: number;
  };
}

/**
 * Returns the JSON of an event (contract 6.5, decision 42). It never contains addresses, items or
 * notes.
 * @param publicBaseUrl URL of the API with its path.
 * @param more further members of `data`.
 */
export const eventJson = <More extends object>(
  { event, occurredAt, order }: EventFields,
  publicBaseUrl: string,
  more: More,
) => ({
  event,
  occurred_at: occurredAt,
  data: {
    order: {
      id: order.id,
      external_id: order.externalId,
      status: order.status.toLowerCase(),
      updated_at: order.updatedAt,
      sequence: order.sequence,
    },
    ...more,
  },
  links: { order: `${publicBaseUrl.replace(/\/+$/, '')}/orders/${order.id}` },
});

/** Returns the member `custody` of an event's `data`: the entry's place in its order's chain. */
export const eventCustodyJson = (sequence: number, eventHash: string) => ({
  custody: { sequence, head_hash: eventHash },
});

import { randomUUID } from 'node:crypto';
import type { Client, Order } from '../../../typescript/src/index.ts';
import { epochMs } from '../clock.ts';
import type { Delivery } from '../listen/delivery.ts';
import type { Receiver } from '../listen/forward.ts';

/** What the checks of one run share. */
export interface Trial {
  readonly client: Client;
  readonly receiver: Receiver;
  /** The secret after a rotation, which the receiver knows, too; null if none was given. */
  readonly nextSecret: string | null;
  /** Command of the partner's verifier; null if none was given. */
  readonly verifyCommand: string | null;
  /** Beginning of the `external_id` of the orders of this run. */
  readonly reference: string;
  /** The order of the sample events. It stays SUBMITTED. */
  readonly order: Order;
  readonly environment: NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
  /** Returns a delivery of a sample event. */
  readonly sample: (given?: Given) => Delivery;
}

/** What a sample event differs in. */
export interface Given {
  readonly event?: string;
  /** Status of the order, in lower case. */
  readonly status?: string;
  /** Milliseconds since the event. */
  readonly ageMs?: number;
  /** Changes the body before it is signed. */
  readonly change?: (body: SampleBody) => object;
}

export type SampleBody = ReturnType<typeof bodyOf>;

/**
 * Returns a source of sample events of one order. Their numbers increase. They have no
 * `data.custody`: a receiver would store evidence of entries that the ledger does not have.
 */
export const samplesOf = (order: Pick<Order, 'id' | 'external_id'>, baseUrl: string) => {
  let number = 0;
  return (given: Given = {}): Delivery => {
    const { event = 'order.updated', change = (body: SampleBody): object => body } = given;
    number++;
    const body = JSON.stringify(change(bodyOf(order, baseUrl, number, { event, ...given })));
    return { id: randomUUID(), number, event, body };
  };
};

/** Returns the body of a webhook (contract 6.5). */
const bodyOf = (
  { id, external_id }: Pick<Order, 'id' | 'external_id'>,
  baseUrl: string,
  number: number,
  { event, status = 'submitted', ageMs = 0 }: Given & { readonly event: string },
) => {
  const at = new Date(epochMs() - ageMs).toISOString();
  return {
    event,
    occurred_at: at,
    sequence: number,
    data: { order: { id, external_id, status, updated_at: at, sequence: number } },
    links: { order: `${baseUrl}/orders/${id}` },
  };
};

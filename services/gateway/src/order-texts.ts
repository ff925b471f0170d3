import type { CreateOrderRequest, ListOrdersRequest } from '@pto/proto/orders/v1/orders';

export interface OrderText {
  /** The field of the RPC's request. */
  readonly field: keyof CreateOrderRequest;
  /** Bounds of the length in Unicode code points. */
  readonly min?: number;
  readonly max: number;
  /** Description of the member in responses, for documents. */
  readonly description?: string;
}

/**
 * The optional texts that a partner gives in the request for an order and reads in the order under
 * the same name. The schemas of the request and the response, and the RPC's request, are made from
 * this table.
 */
export const orderTexts = {
  external_id: {
    field: 'externalId',
    min: 1,
    max: 100,
    description: 'Your reference, unique in your organization.',
  },
  notes: { field: 'notes', max: 2000 },
  pickup_detail: { field: 'pickupDetail', max: 500 },
  dropoff_detail: { field: 'dropoffDetail', max: 500 },
} as const satisfies Record<string, OrderText>;

interface OrderFilter {
  /** The field of the RPC's request. */
  readonly field: keyof ListOrdersRequest;
  /** Description of the query parameter, for documents. */
  readonly description: string;
}

/** The filters of a list of orders by a text. */
export const orderFilters = {
  external_id: { field: 'externalId', description: 'Only the order with this reference.' },
} as const satisfies Record<string, OrderFilter>;

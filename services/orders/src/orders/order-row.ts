import { type Rows, tables } from '../schema/tables.ts';
import { textColumns } from './request-fields.ts';

/** The columns of `orders` from which an order is shown, without its items. */
const columns = [
  'id',
  'organization_id',
  'status',
  'sla',
  'source',
  'pickup_location_id',
  'dropoff_location_id',
  'dropoff_address_text',
  'pickup_window_start',
  'pickup_window_end',
  'price_total',
  'cancel_reason',
  'transport_organization',
  'driver',
  'custody_fault',
  'sequence',
  'created_at',
  'updated_at',
  ...textColumns,
] as const;

export interface OrderRow extends Pick<Rows['orders'], (typeof columns)[number]> {
  /** The items as a JSON array, in the form that partners see. */
  readonly items: string;
}

/** Selects orders `o` without their items. */
export const orderColumns = tables
  .selectFrom('orders as o')
  .select(columns.map((column) => `o.${column}` as const));

/** Selects orders `o` with their items. */
export const orderRows = orderColumns.select(({ cast }) =>
  cast<string>('o.items', 'text').as('items'),
);

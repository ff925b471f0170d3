import { sqlMigration } from '@pto/database';
import { heldOrganizationsTable } from '@pto/moves';

/**
 * Evidence of the orders whose organization has left this cell: the ledger of this cell has their
 * entries, and the auditor compares them with what orders has produced.
 */
const movedOrders = `create table moved_orders (
  organization_id uuid not null,
  order_id uuid not null,
  -- as in orders
  status text not null,
  sequence int not null check (sequence > 0),
  custody_sequence int not null,
  custody_head_hash text not null,
  primary key (organization_id, order_id)
)`;

/** Moves of organizations between cells: an organization that is held rejects changes. */
export const moves = sqlMigration('20261129080000_moves', [
  ...heldOrganizationsTable,
  movedOrders,
  // the auditor has the id of an order alone
  'create index moved_orders_by_id on moved_orders (order_id)',
  `create or replace function change_moment(organization uuid) returns timestamptz
   language plpgsql volatile as $$
   begin
     perform require_not_held(organization);
     return greatest(order_clock(),
       (select at from poll_moments where organization_id = organization));
   end $$`,
]);

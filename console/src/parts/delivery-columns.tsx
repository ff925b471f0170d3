import { Link } from 'wouter';
import { Attempts } from './attempts.tsx';
import { Badge } from './badge.tsx';
import { ResponseBody } from './response-body.tsx';
import type { Schemas } from './schemas.ts';
import { shortId } from './short-id.ts';
import type { Column } from './table.tsx';
import { Time } from './time.tsx';

/** Columns of deliveries. */
export const deliveryColumns = {
  event: ['Event', ({ event }) => event],
  state: ['State', ({ state }) => <Badge of={state} />],
  order: ['Order', ({ order_id }) => <Link href={`/orders/${order_id}`}>{shortId(order_id)}</Link>],
  attempts: ['Attempts', ({ attempts }) => <Attempts of={attempts} />],
  response: ['Response', ({ attempts }) => <ResponseBody of={attempts} />],
  next: ['Next attempt', ({ due_at }) => (due_at ? <Time at={due_at} /> : '')],
  queued: ['Queued', ({ created_at }) => <Time at={created_at} />],
} as const satisfies Record<string, Column<Schemas['Delivery']>>;

import { Link } from 'wouter';
import { Attempts, type ShownAttempt } from '../../parts/attempts.tsx';
import { Badge } from '../../parts/badge.tsx';
import { shortId } from '../../parts/short-id.ts';
import type { Column } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import type { Schemas } from '../api.ts';

type Delivery = Schemas['Delivery'];

/** Returns attempts of the partners' API as `Attempts` shows them. */
export const shownAttempts = (attempts: Delivery['attempts']): ShownAttempt[] =>
  attempts.map(({ at, status_code, error, duration_ms }) => ({
    at,
    statusCode: status_code ?? undefined,
    error: error ?? '',
    durationMs: duration_ms,
  }));

/** Columns of deliveries. */
export const deliveryColumns = {
  event: ['Event', ({ event }) => event],
  state: ['State', ({ state }) => <Badge of={state} />],
  order: ['Order', ({ order_id }) => <Link href={`/orders/${order_id}`}>{shortId(order_id)}</Link>],
  attempts: ['Attempts', ({ attempts }) => <Attempts of={shownAttempts(attempts)} />],
  next: ['Next attempt', ({ due_at }) => (due_at ? <Time at={due_at} /> : '')],
  queued: ['Queued', ({ created_at }) => <Time at={created_at} />],
} as const satisfies Record<string, Column<Delivery>>;

import type { FeedEvent } from '../../../typescript/src/index.ts';
import { deliveryOf } from '../listen/delivery.ts';
import { newestEvent } from '../listen/newest.ts';
import { sampleOrder } from '../sample-order.ts';
import { type Seen, Unmet } from './check.ts';
import { deliver } from './deliver.ts';
import { requireRun } from './proofs.ts';
import type { Trial } from './trial.ts';

/** Maximum time in ms until the order is closed. Its steps take some five seconds. */
const walkMaxMs = 120_000;

/**
 * Creates an order that the courier moves to CLOSED, and forwards each of its events.
 * @returns the `event_hash` of each event.
 * @throws Unmet for a gap in the feed or in the order's chain, and if the order is not closed
 *   within 120 s.
 */
export const followWalk = async (
  trial: Trial,
  seen: Seen,
): Promise<{ id: string; hashes: string[] }> => {
  const { client, reference, signal } = trial;
  const after = await newestEvent(client, signal);
  const { id } = await client.orders.create(
    { ...sampleOrder, external_id: `${reference}-order` },
    { sandboxCourier: 'auto', sandboxStep: '500ms', signal },
  );
  seen.orders.push(id);
  await requireRun(trial, id);
  const late = AbortSignal.timeout(walkMaxMs);
  const hashes: string[] = [];
  try {
    // throws if the feed leaves out a number
    for await (const event of client.followEvents({
      after,
      signal: AbortSignal.any([signal, late]),
    })) {
      if (event.data.order.id !== id) continue;
      requireLink(event, hashes);
      hashes.push(event.custody.event_hash);
      const delivery = deliveryOf(event);
      await deliver(trial, seen, { what: event.event, delivery, expected: '2xx' });
      if (event.data.order.status === 'closed') break;
    }
  } catch (error) {
    if (!late.aborted || signal.aborted) throw error;
    throw new Unmet(`${hashes.length} events came within ${walkMaxMs / 1000} s, none of CLOSED`);
  }
  return { id, hashes };
};

/** @throws Unmet for an event that does not follow the event before it in the order's chain. */
const requireLink = ({ data, custody }: FeedEvent, hashes: readonly string[]): void => {
  const number = hashes.length + 1;
  const isNext = data.custody.sequence === number;
  if (!isNext || (number > 1 && custody.prev_event_hash !== hashes.at(-1)))
    throw new Unmet(`entry ${data.custody.sequence} came where entry ${number} was expected`);
};

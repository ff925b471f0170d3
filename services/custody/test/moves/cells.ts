import { readConfig } from '@pto/config';
import { Level, OrganizationMoveService } from '@pto/proto/moves/v1/moves';
import type { OrderEvent } from '@pto/proto/orders/events/v1/order_event';
import { connectClient } from '@pto/rpc';
import { until } from '@pto/testing';
import { settings } from '../../src/config.ts';
import { startCustody } from '../../src/service.ts';
import { anOrderId, eventsOf, operatorsWire, startCustodyService } from '../custody-service.ts';
import { open, silent } from '../feed/a-feed.ts';
import { digestOf } from '../writers.ts';

/** A ledger of a cell: two replicas, each with a sequencer, and what the test reads of it. */
export const startCell = async (name: string, seed: number) => {
  const under = await startCustodyService({
    CUSTODY_LOG_ORIGIN: `log.test/${name}`,
    CUSTODY_SIGNING_KEYS: Buffer.alloc(32, seed).toString('base64'),
  });
  const { settings: same } = readConfig(settings, under.environment);
  const second = await startCustody(same, silent());
  const secondMoves = connectClient(OrganizationMoveService, operatorsWire(second));
  const db = await open(under.database.ownerUrl, 4);
  const read = async <Row>(text: string, organizationId: string): Promise<Row[]> =>
    db.query<Row>(text, [organizationId]);
  return {
    ...under,
    db,
    /** The second replica's. */
    secondMoves,
    /** Sends events as orders does: it stores their digests before. */
    produce: (events: readonly OrderEvent[]) => {
      for (const event of events) {
        const { orderId, sequence } = event;
        const before = under.known.get(orderId)?.digests ?? [];
        const digests = [...before, { sequence, digest: digestOf(event) }];
        under.known.set(orderId, {
          orderId,
          sequence,
          custodySequence: 0,
          custodyHeadHash: '',
          digests,
        });
      }
      return under.publish(events);
    },
    /** The organization's entries in the order of its feed, with every column and their numbers. */
    feedOf: (organizationId: string) =>
      read<{ number: string; order_id: string; sequence: number; id: string; event_hash: string }>(
        `select l.number, l.event_hash as leaf_hash, e.* from log_leaves l
         left join entries e using (order_id, sequence)
         where l.organization_id = $1 order by l.leaf_index`,
        organizationId,
      ),
    chainsOf: (organizationId: string) =>
      read('select * from chains where organization_id = $1 order by order_id', organizationId),
    queuedOf: (organizationId: string) =>
      read(
        `select q.* from log_queue q join chains using (order_id) where organization_id = $1`,
        organizationId,
      ),
    /** The ids of the organization's custody events that were sent or wait to be sent. */
    announcedOf: async (organizationId: string): Promise<string[]> => {
      const rows = await read<{ event_id: string }>(
        `select event_id from outbox join chains on order_id::text = key
         where organization_id = $1 order by id`,
        organizationId,
      );
      return rows.map(({ event_id }) => event_id);
    },
    /** Violations that an operator finds in all chains, the log and the anchor. */
    verify: async () => {
      const faults: { orderId: string; reason: string }[] = [];
      let afterOrderId = '';
      do {
        const page = await under.ledger.verifyChains({ afterOrderId });
        faults.push(...page.faults);
        afterOrderId = page.nextOrderId;
      } while (afterOrderId !== '');
      let page = await under.ledger.verifyLog({});
      for (;;) {
        faults.push(...page.faults);
        if (!page.next) return faults.map(({ orderId, reason }) => ({ orderId, reason }));
        page = await under.ledger.verifyLog({ walk: page.next });
      }
    },
    stop: async () => {
      await second.stop();
      await db.close();
      await under.stop();
    },
  };
};

export type Cell = Awaited<ReturnType<typeof startCell>>;

/** An organization and the token of a try. */
export interface Try {
  readonly organizationId: string;
  readonly token: bigint;
}

/** The events of new orders, several of them mixed, each in its order. */
export const ordersOf = (organizationId: string, orders: number, each: number): OrderEvent[] =>
  Array.from({ length: orders }, () =>
    eventsOf(anOrderId(), organizationId, each, { reference: 'ä😀' }),
  )
    .flat()
    .toSorted((a, b) => a.sequence - b.sequence);

/** Waits until the organization has `count` entries with a leaf. */
export const placed = (cell: Cell, organizationId: string, count: number) =>
  until(async () => (await cell.feedOf(organizationId)).length === count, {
    what: `${count} leaves`,
    deadlineMs: 30_000,
  });

/** As orders copies its evidence: before custody's copy, and at least as far. */
const copyEvidence = async (from: Cell, to: Cell, organizationId: string): Promise<void> => {
  const chains = (await from.chainsOf(organizationId)) as { order_id: string }[];
  for (const { order_id: orderId } of chains) {
    const head = from.known.get(orderId);
    if (head) to.known.set(orderId, { ...head, custodySequence: 0, custodyHeadHash: '' });
  }
};

/** One copy, as the operators service runs it. */
export const copy = async (from: Cell, to: Cell, { organizationId, token }: Try, since = '') => {
  const { mark } = await from.moves.mark({ organizationId });
  await copyEvidence(from, to, organizationId);
  const pages: number[] = [];
  for (let page = ''; pages.length === 0 || page !== ''; ) {
    const exported = await from.moves.export({ organizationId, since, until: mark, page });
    const { rows } = await to.moves.import({ organizationId, token, rows: exported.rows });
    pages.push(rows);
    page = exported.nextPage;
  }
  return { mark, pages };
};

/** Calls Hold until nothing remains. */
export const holdUntilDone = (cell: Cell, attempt: Try, level: Level) =>
  until(async () => (await cell.moves.hold({ ...attempt, level })).remaining === 0n, {
    what: `the hold ${Level[level]}`,
    deadlineMs: 30_000,
  });

/**
 * Runs custody's part of a move up to the switch. Orders has produced its last event, and custody
 * has stored it.
 */
export const finish = async (from: Cell, to: Cell, attempt: Try, since = ''): Promise<void> => {
  await holdUntilDone(from, attempt, Level.WRITES);
  await copy(from, to, attempt, since);
  await holdUntilDone(to, attempt, Level.ARRIVING);
};

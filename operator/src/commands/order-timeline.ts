/** One line of time for an order: custody entries, deliveries and their attempts. */
import type { ExportedEntry } from '@pto/proto/custody/v1/custody';
import type { Delivery } from '@pto/proto/webhooks/v1/webhooks';
import { firstLine, orderDeliveriesJson } from '@pto/representation';
import { note } from '@pto/terminal';
import type { Command } from 'commander';
import type { OpenClients } from '../clients.ts';
import { orderIdOf } from '../order-reference.ts';
import { print } from '../output.ts';

/** What happened at a time. */
export interface Moment {
  /** `YYYY-MM-DDTHH:mm:ss.sssZ`. */
  readonly at: string;
  /** `entry`, `queued`, `attempt`, `ended` or `due`: due is still to come. */
  readonly what: string;
  /** The event's name (contract 6.1). */
  readonly event: string;
  readonly detail: string;
  /** The number of the custody entry, or the id of the delivery. */
  readonly id: string;
}

const columns = ['at', 'what', 'event', 'detail', 'id'];

export const addTimeline = (order: Command, open: OpenClients): void => {
  order
    .command('deliveries <id>')
    .description('what each endpoint of its partner has received, in one line')
    .action(async (reference, _, command) => {
      const orderId = await orderIdOf(open, reference);
      const { orders, deliveries } = open();
      const { organizationId } = (await orders.showOrder({ orderId })).order!;
      const found = await deliveries.listOrderDeliveries({ orderId, organizationId });
      const { endpoints } = orderDeliveriesJson(found);
      const { json } = command.optsWithGlobals();
      await print(command, json ? endpoints : endpoints.map(summaryLine));
    });
  order
    .command('timeline <id>')
    .description('its custody entries, deliveries and their attempts on one line of time')
    .action(async (reference, _, command) => {
      const orderId = await orderIdOf(open, reference);
      const { orders, ledger, deliveries } = open();
      const { order: found } = await orders.showOrder({ orderId });
      const { organizationId } = found!;
      const [chain, sent] = await Promise.all([
        ledger.exportChain({ orderId }),
        deliveries.listOrderDeliveries({ orderId, organizationId }),
      ]);
      await print(command, timelineOf(chain.entries, sent.deliveries), columns);
      const missing = found!.sequence - chain.entries.length;
      if (missing > 0) note(`The ledger has not stored the last ${missing} entries yet.`);
      if (sent.hasMore) note('The order has further, older deliveries: see `delivery list`.');
    });
};

type Summary = ReturnType<typeof orderDeliveriesJson>['endpoints'][number];

/** Returns the line of an endpoint. */
const summaryLine = ({ last_failure: failure, ...of }: Summary) => ({
  endpoint: of.endpoint_id,
  address: of.endpoint_address,
  received: `${of.delivered} of ${of.events}`,
  last: of.last_delivered_at,
  failure:
    failure &&
    `${failure.status_code ?? failure.error} ${firstLine(failure.response_body ?? '')}`.trimEnd(),
  next_attempt: of.due_at,
  state: of.endpoint_deleted_at
    ? `deleted ${of.endpoint_deleted_at}`
    : of.endpoint_disabled
      ? 'DISABLED'
      : of.endpoint_status,
});

/** Returns what happened to an order, oldest first. At one time, entries come first. Pure. */
export const timelineOf = (
  entries: readonly ExportedEntry[],
  deliveries: readonly Delivery[],
): Moment[] => {
  const moments = [...entries.map(momentOfEntry), ...deliveries.flatMap(momentsOfDelivery)];
  return moments.sort((a, b) => (a.at < b.at ? -1 : Number(a.at > b.at)));
};

const momentOfEntry = ({ entry }: ExportedEntry): Moment => ({
  at: entry!.tsUtc,
  what: 'entry',
  event: entry!.type,
  detail: entry!.internalType,
  id: `${entry!.sequence}`,
});

const momentsOfDelivery = (delivery: Delivery): Moment[] => {
  const { id, event, endpointId, endpointAddress, reason, replayOf, createdAt, dueAt, endedAt } =
    delivery;
  const common = { event, id };
  const queued = `endpoint ${endpointId} ${endpointAddress}${replayOf === '' ? '' : `, replay of ${replayOf}`}`;
  return [
    { ...common, at: createdAt, what: 'queued', detail: queued },
    ...delivery.attempts.map(({ at, statusCode, error, durationMs }) => ({
      ...common,
      at,
      what: 'attempt',
      detail: `${[statusCode ?? '', error].join(' ').trim()}, ${durationMs} ms`,
    })),
    ...(endedAt === ''
      ? []
      : [{ ...common, at: endedAt, what: 'ended', detail: reason || 'the last attempt failed' }]),
    ...(dueAt === '' ? [] : [{ ...common, at: dueAt, what: 'due', detail: 'the next attempt' }]),
  ];
};

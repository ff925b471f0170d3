import { note, tableLines, writeLines } from '@pto/terminal';
import { Command } from 'commander';
import {
  type Client,
  type FeedEvent,
  NotFoundError,
  NotSentError,
} from '../../../typescript/src/index.ts';
import { count } from '../arguments.ts';
import { type Context, isJson } from '../context.ts';
import { Failed } from '../failure.ts';
import { isOf } from '../listen/goal.ts';

/** Maximum number of events of a page (decision 65). */
const pageMax = 100;

interface Flags {
  readonly order?: string;
  readonly after: number;
  readonly feed?: string;
  readonly limit: number;
}

/** `pto events`: the events of all orders after a number; with --json one per line. */
export const eventsCommand = (context: Context): Command =>
  new Command('events')
    .description('list the events of all orders, oldest first; with --json one per line')
    .option('--order <order>', 'id or external_id: the events of this order alone')
    .option('--after <number>', 'begin after the event with this number', count, 0)
    .option('--feed <feed>', 'reject the number of --after if it is of another organization')
    .option('--limit <n>', 'at most so many; 0 for all', count, pageMax)
    .action((flags: Flags, command: Command) => run(context, flags, isJson(command)));

const run = async ({ client }: Context, flags: Flags, json: boolean): Promise<void> => {
  const { order, limit, feed } = flags;
  let last = flags.after;
  let shown = 0;
  for (let more = true; more; ) {
    const left = limit === 0 ? pageMax : Math.min(pageMax, limit - shown);
    // few events of a page may be those of the order
    const pageSize = order === undefined ? left : pageMax;
    const page = await client().listEvents({
      ...{ after: last, limit: pageSize },
      ...(feed !== undefined && { feed }),
    });
    const found = page.data.filter((event) => isOf(order ?? null, event));
    const events = limit === 0 ? found : found.slice(0, left);
    await writeLines('stdout', json ? events.map(jsonLine) : rowLines(events, shown === 0));
    shown += events.length;
    const isCut = events.length < found.length;
    last = isCut ? events.at(-1)!.number : page.next_after;
    more = page.has_more && (limit === 0 || shown < limit);
    if ((page.has_more || isCut) && !more)
      note(`There are more: ${nextCommand(last, page.feed, order)}`);
  }
  if (shown === 0 && order !== undefined) await requireOrder(client(), order);
  if (shown === 0 && !json) await writeLines('stdout', ['(none)']);
};

/** @throws Failed if there is no order with this id or `external_id`. */
const requireOrder = async ({ orders }: Client, order: string): Promise<void> => {
  const { value } = await orders.list({ external_id: order, limit: 1 }).pages().next();
  if (value && value.data.length > 0) return;
  try {
    await orders.get(order);
  } catch (error) {
    if (!(error instanceof NotFoundError || error instanceof NotSentError)) throw error;
    throw new Failed(`There is no order with the id or external_id ${order}.`);
  }
};

/** Returns the command that continues after an event. */
const nextCommand = (after: number, feed: string, order: string | undefined): string =>
  `pto events --after ${after} --feed ${feed}${order === undefined ? '' : ` --order ${order}`}`;

const jsonLine = (event: FeedEvent): string => JSON.stringify(event);

/** Returns the rows of a table, its names before those of the first page. */
const rowLines = (events: readonly FeedEvent[], isFirst: boolean): string[] => {
  if (events.length === 0) return [];
  const lines = tableLines(
    events.map(({ number, occurred_at, event, data: { order } }) => ({
      number,
      occurred_at,
      event,
      order: order.id,
      external_id: order.external_id,
      status: order.status,
    })),
  );
  return isFirst ? lines : lines.slice(1);
};

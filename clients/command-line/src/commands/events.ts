import { note, tableLines, writeLines } from '@pto/terminal';
import { Command } from 'commander';
import type { FeedEvent } from '../../../typescript/src/index.ts';
import { count } from '../arguments.ts';
import { type Context, isJson } from '../context.ts';

/** Maximum number of events of a page (decision 65). */
const pageMax = 100;

/** `pto events`: the events of all orders after a number; with --json one per line. */
export const eventsCommand = ({ client }: Context): Command =>
  new Command('events')
    .description('list the events of all orders, oldest first; with --json one per line')
    .option('--after <number>', 'begin after the event with this number', count, 0)
    .option('--limit <n>', 'at most so many; 0 for all', count, pageMax)
    .action(async ({ after, limit }: { after: number; limit: number }, command: Command) => {
      const json = isJson(command);
      let last = after;
      let shown = 0;
      for (let more = true; more; ) {
        const left = limit === 0 ? pageMax : Math.min(pageMax, limit - shown);
        const page = await client().listEvents({ after: last, limit: left });
        await writeLines(
          'stdout',
          json ? page.data.map(jsonLine) : rowLines(page.data, shown === 0),
        );
        shown += page.data.length;
        last = page.next_after;
        more = page.has_more && shown !== limit;
        if (page.has_more && !more) note(`There are more: pto events --after ${last}`);
      }
    });

const jsonLine = (event: FeedEvent): string => JSON.stringify(event);

/** Returns the rows of a table, its names before those of the first page. */
const rowLines = (events: readonly FeedEvent[], isFirst: boolean): string[] => {
  if (events.length === 0) return isFirst ? ['(none)'] : [];
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

import { printedLines, writeLines } from '@pto/terminal';
import { Argument, Command, InvalidArgumentError } from 'commander';
import { type Context, isJson } from '../context.ts';
import { WrongUsage } from '../failure.ts';
import { sampleOrder } from '../sample-order.ts';
import { type AdvancedStatus, advancedStatuses } from '../statuses.ts';
import { made, noteEvents } from '../trigger/made.ts';

/** The event of each status to which an order is advanced. */
const eventOf = (status: AdvancedStatus): string => `order.${status.toLowerCase()}`;
const names = [...advancedStatuses.map(eventOf), ...Object.keys(made)];

/** Parses the event's name. Returns it with the status whose event it is, null for another one. */
const eventName = (event: string): { event: string; status: AdvancedStatus | null } => {
  if (!names.includes(event)) throw new InvalidArgumentError(`expected one of ${names.join(', ')}`);
  return { event, status: advancedStatuses.find((one) => eventOf(one) === event) ?? null };
};

interface Flags {
  readonly order?: string;
  readonly note?: string;
}

/** `pto trigger`: makes an event happen in the sandbox, to a new order by default. */
export const triggerCommand = ({ client, credential }: Context): Command =>
  new Command('trigger')
    .description('make an event happen in the sandbox: advances an order until it has come')
    .addArgument(
      new Argument('<event>', 'such as order.sealed').choices(names).argParser(eventName),
    )
    .option('--order <id>', 'the order; a new one by default')
    .option('--note <text>', `the text of ${noteEvents.join(', ')}`)
    .action(
      async (
        { event, status }: ReturnType<typeof eventName>,
        { order, note }: Flags,
        command: Command,
      ) => {
        if (note !== undefined && !noteEvents.includes(event))
          throw new WrongUsage(`--note is the text of ${noteEvents.join(', ')}.`);
        // a cancellation of production would be a real one
        if (credential().apiKey.startsWith('svc_live_'))
          throw new WrongUsage(
            'pto trigger is for the sandbox: use a key that begins with svc_test_.',
          );
        const id = order ?? (await client().orders.create(sampleOrder)).id;
        const { external_id, status: now } =
          status === null
            ? await made[event]!(client(), id, note)
            : await client().sandbox.advance(id, { to: status });
        const shown = { id, external_id, status: now, event };
        await writeLines('stdout', printedLines(shown, { json: isJson(command) }));
      },
    );

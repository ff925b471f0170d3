import { Interrupted, note } from '@pto/terminal';
import { Command, Option } from 'commander';
import type { Client } from '../../../typescript/src/index.ts';
import { count, durationMs, eventList, eventName, eventNames, receiverUrl } from '../arguments.ts';
import { type Context, isJson } from '../context.ts';
import { Failed, WrongUsage } from '../failure.ts';
import { secretOf } from '../listen/delivery.ts';
import { type Goal, hasGoal, missingText } from '../listen/goal.ts';
import { listen } from '../listen/listen.ts';
import { hasEvent, newestEvent } from '../listen/newest.ts';
import { type Position, positionOf } from '../listen/position.ts';

/** Time in ms for the events of --expect, without --timeout. */
const expectMaxMs = 300_000;

interface Flags {
  readonly forwardTo: string;
  readonly after?: number;
  readonly until?: string;
  readonly expect?: readonly string[];
  readonly timeout?: number;
  readonly keepGoing?: boolean;
}

/** `pto listen`: forwards the events of the feed to a receiver of this machine, signed. */
export const listenCommand = (context: Context): Command =>
  new Command('listen')
    .description('forward each event to a URL, signed as a webhook; continues where it stopped')
    .requiredOption('--forward-to <url>', 'URL that gets each event as a POST', receiverUrl)
    .option('--after <number>', 'begin after the event with this number; 0: with the first', count)
    .addOption(
      new Option('--until <event>', 'end when this event came')
        .choices([...eventNames])
        .argParser(eventName),
    )
    .option('--expect <events>', 'end when these came, separated by commas', eventList)
    .option('--timeout <duration>', 'fail after this time; 5m with --expect', durationMs)
    .option('--keep-going', 'go on after an event that the receiver does not accept')
    .addHelpText('after', help)
    .action((flags: Flags, command: Command) => run(context, flags, isJson(command)));

const help = `
PTO_WEBHOOK_SECRET is the secret that signs; without it, each run prints a new one.
Exit codes: 0 all events of --until and --expect came, 1 they did not or the
receiver did not accept an event, 2 wrong usage, 130 after Ctrl-C.`;

const run = async (context: Context, flags: Flags, json: boolean): Promise<void> => {
  const { secret, isNew } = secretOf(context.environment);
  const client = context.client();
  const { organization, environment } = await client.ping();
  const { baseUrl } = context.credential();
  const position = positionOf(context.environment, { baseUrl, organization, environment });
  const after = await begin(client, position, flags.after);
  if (isNew) note(`secret of this run: ${secret}`);
  const goal: Goal = { until: flags.until ?? null, missing: new Set(flags.expect) };
  const stop = new AbortController();
  const late = new Failed('');
  const timeoutMs = flags.timeout ?? (flags.expect ? expectMaxMs : null);
  const timer = timeoutMs === null ? undefined : setTimeout(() => stop.abort(late), timeoutMs);
  const forget = context.onInterrupt(() => stop.abort(new Interrupted('Interrupted.')));
  const receiver = { url: flags.forwardTo, secret };
  const { keepGoing = false } = flags;
  try {
    const { signal } = stop;
    await listen({ client, position, after, receiver, goal, keepGoing, json, signal });
  } catch (error) {
    if (error !== late) throw error;
    if (hasGoal(goal)) throw new Failed(`${missingText(goal) ?? goal.until} did not come in time.`);
  } finally {
    clearTimeout(timer);
    forget();
  }
};

/**
 * Returns the number after which the command begins: the given one, else the stored one, else the
 * newest event. Says which.
 * @throws WrongUsage for a number beyond the feed, as after a feed that began again.
 */
const begin = async (
  client: Client,
  position: Position,
  given: number | undefined,
): Promise<number> => {
  const stored = given === undefined ? position.read() : undefined;
  const known = given ?? stored?.after;
  if (known !== undefined && known > 0 && !(await hasEvent(client, known)))
    throw new WrongUsage(`The feed has no event ${known}: give --after, such as --after 0.`);
  const newest = await newestEvent(client, known ?? 0);
  if (known === undefined) note(`begun at ${newest}, the newest event; --after 0 takes all`);
  else note(`${stored ? 'continued' : 'begun'} at ${known}, ${newest - known} waiting`);
  const after = known ?? newest;
  if (stored?.forwarding === after + 1)
    note(`event ${after + 1} may have been forwarded before: it is forwarded again`);
  position.write({ after, forwarding: stored?.forwarding ?? null });
  return after;
};

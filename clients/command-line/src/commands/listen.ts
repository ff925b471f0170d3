import { Interrupted, note } from '@pto/terminal';
import { Command, Option } from 'commander';
import { count, durationMs, eventList, eventName, eventNames, receiverUrl } from '../arguments.ts';
import { type Context, isJson } from '../context.ts';
import { Failed } from '../failure.ts';
import { begin } from '../listen/begin.ts';
import { secretOf } from '../listen/delivery.ts';
import { type Goal, hasGoal, missingText } from '../listen/goal.ts';
import { type Listening, listen, type Target } from '../listen/listen.ts';
import { type FeedLock, lockFeed } from '../listen/lock.ts';
import { type Position, positionOf } from '../listen/position.ts';

/** Time in ms for the events of --expect, without --timeout. */
const expectMaxMs = 300_000;

interface Flags {
  readonly forwardTo?: string;
  readonly order?: string;
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
    .option('--forward-to <url>', 'URL that gets each event as a POST; else print', receiverUrl)
    .option('--order <order>', 'id or external_id: --until and --expect count its events alone')
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
Without --forward-to, it prints the events, those of --order alone if it is given,
and stores no position. The first run begins with the events to come.
PTO_WEBHOOK_SECRET is the secret that signs; without it, each run prints a new one.
You may invent a secret for your machine: whsec_ and at least 16 characters.
A second listen for the same events is refused while the first one runs; one that
was killed holds them for 15 s at most.
Exit codes: 0 all events of --until and --expect came, 1 they did not or the
receiver did not accept an event, 2 wrong usage or a listen that runs already,
130 after Ctrl-C, SIGTERM and SIGHUP.`;

const run = async (context: Context, flags: Flags, json: boolean): Promise<void> => {
  const stop = new AbortController();
  const forget = context.onInterrupt(() => stop.abort(new Interrupted('Interrupted.')));
  let release = () => {};
  try {
    const client = context.client();
    const { target, lock } = await targetOf(context, flags, stop);
    release = lock.release;
    const after = await begin(client, target?.position ?? null, flags.after, stop.signal);
    if (target?.isNewSecret) {
      note(`secret of this run: ${target.receiver.secret}`);
      note('Set PTO_WEBHOOK_SECRET for pto and for the receiver to keep one secret.');
    }
    const { until = null, order = null } = flags;
    const goal: Goal = { until, order, missing: new Set(flags.expect) };
    await listenInTime(stop, flags, { client, target, after, goal, json });
  } finally {
    release();
    forget();
  }
};

/** Returns where the events go, null without --forward-to, and locks the feed. @throws WrongUsage */
const targetOf = async (
  context: Context,
  { forwardTo, keepGoing = false }: Flags,
  stop: AbortController,
): Promise<{ target: Target | null; lock: Pick<FeedLock, 'release'> }> => {
  if (forwardTo === undefined) return { target: null, lock: { release: () => {} } };
  const { signal } = stop;
  const { secret, isNew: isNewSecret } = secretOf(context.environment);
  const { organization, environment } = await context.client().ping({ signal });
  const { baseUrl } = context.credential();
  const position = positionOf(context.environment, { baseUrl, organization, environment });
  const lost = (error: Failed) => stop.abort(error);
  const lock = await lockFeed(position.path, forwardTo, { signal, lost });
  const held: Position = {
    ...position,
    write: (progress) => {
      lock.renew();
      position.write(progress);
    },
  };
  const receiver = { url: forwardTo, secret };
  return { target: { position: held, receiver, isNewSecret, keepGoing }, lock };
};

/** Listens until the goal is reached, at most for --timeout. */
const listenInTime = async (
  stop: AbortController,
  flags: Flags,
  listening: Omit<Listening, 'signal'>,
): Promise<void> => {
  const { goal } = listening;
  const late = new Failed('');
  const timeoutMs = flags.timeout ?? (flags.expect ? expectMaxMs : null);
  const timer = timeoutMs === null ? undefined : setTimeout(() => stop.abort(late), timeoutMs);
  try {
    await listen({ ...listening, signal: stop.signal });
  } catch (error) {
    if (error !== late) throw error;
    if (hasGoal(goal)) throw new Failed(`${missingText(goal) ?? goal.until} did not come in time.`);
  } finally {
    clearTimeout(timer);
  }
};

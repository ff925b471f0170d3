import { note } from '@pto/terminal';
import type { Client } from '../../../typescript/src/index.ts';
import { WrongUsage } from '../failure.ts';
import { newestEvent } from './newest.ts';
import type { Position } from './position.ts';

/**
 * Returns the number after which `listen` begins: the given one, else the stored one, else the
 * newest event. Says which.
 * @param position null if no event is forwarded: then none is stored.
 * @throws WrongUsage for a number beyond the feed, as after a feed that began again.
 */
export const begin = async (
  client: Client,
  position: Position | null,
  given: number | undefined,
  signal: AbortSignal,
): Promise<number> => {
  const stored = given === undefined ? position?.read() : undefined;
  const known = given ?? stored?.after;
  const newest = await newestEvent(client, signal);
  if (known !== undefined && known > newest)
    throw new WrongUsage(
      `The feed has no event ${known}; its newest is ${newest}. The number is of another organization, environment or installation: give --after 0 for all events.`,
    );
  if (known === undefined) note(`begun at ${newest}, the newest event; --after 0 takes all`);
  else note(`${stored ? 'continued' : 'begun'} at ${known}, ${newest - known} waiting`);
  const after = known ?? newest;
  if (stored?.forwarding === after + 1)
    note(`event ${after + 1} may have been forwarded before: it is forwarded again`);
  position?.write({ after, forwarding: stored?.forwarding ?? null });
  return after;
};

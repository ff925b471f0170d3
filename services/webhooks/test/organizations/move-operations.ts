/** What a move of an organization does: every RPC of its service, here from a cell to itself. */
import { Level } from '@pto/proto/moves/v1/moves';
import { arrive, copy, holdUntilQuiet, nextToken, retireAll } from '../moves/move.ts';
import type { UnderTest } from '../under-test.ts';
import { delivered } from './deliveries.ts';

export const moves = async (under: UnderTest): Promise<void> => {
  const { replica } = under;
  const endpoint = await under.endpoint();
  const { organizationId } = endpoint;
  await delivered(under, endpoint, 2);
  const arriving = { organizationId, token: nextToken() };
  await arrive(replica, replica, arriving);
  await copy(replica, replica, arriving, '');
  await replica.moves.count({ organizationId });
  await replica.moves.release(arriving);
  await replica.moves.serves({ organizationId });
  const leaving = { organizationId, token: nextToken() };
  await holdUntilQuiet(replica, leaving, Level.WORK);
  await holdUntilQuiet(replica, leaving, Level.WRITES);
  await retireAll(replica, leaving);
};

/** The calls of a move as the operators service makes them. */

import { Level } from '@pto/proto/moves/v1/moves';
import { until } from '@pto/testing';
import type { Replica } from '../webhooks-service.ts';

let tokens = 0n;

/** Later tries have greater tokens. */
export const nextToken = (): bigint => ++tokens;

export interface Moved {
  readonly organizationId: string;
  readonly token: bigint;
}

type Cell = Pick<Replica, 'moves'>;

/** Copies all pages. @returns the mark of this copy. */
export const copy = async (
  from: Cell,
  to: Cell,
  { organizationId, token }: Moved,
  since: string,
  onPage: (rows: Uint8Array) => Promise<void> = async () => {},
): Promise<string> => {
  const { mark } = await from.moves.mark({ organizationId });
  for (let page = ''; ; ) {
    const { rows, nextPage } = await from.moves.export({
      ...{ organizationId, since, until: mark, page },
    });
    await onPage(rows);
    await to.moves.import({ organizationId, token, rows });
    if (nextPage === '') return mark;
    page = nextPage;
  }
};

/** Repeats Hold until nothing remains. */
export const holdUntilQuiet = (at: Cell, moved: Moved, level: Level): Promise<unknown> => {
  let mark = '';
  return until(
    async () => {
      const response = await at.moves.hold({ ...moved, level, mark });
      mark = response.mark;
      return response.remaining === 0n;
    },
    { what: `the end of what level ${level} waits for`, deadlineMs: 30_000 },
  );
};

/** Begins a move: the target accepts rows. */
export const arrive = async (from: Cell, to: Cell, moved: Moved): Promise<void> => {
  const { probe } = await from.moves.mark({ organizationId: moved.organizationId });
  await to.moves.hold({ ...moved, level: Level.ARRIVING, probe });
};

/** Holds the source at both levels, and copies what is left. @returns the counts of both. */
export const drain = async (from: Cell, to: Cell, moved: Moved, since: string) => {
  await holdUntilQuiet(from, moved, Level.WORK);
  await holdUntilQuiet(from, moved, Level.WRITES);
  await copy(from, to, moved, since);
  const { organizationId } = moved;
  const [source, target] = await Promise.all([
    from.moves.count({ organizationId }),
    to.moves.count({ organizationId }),
  ]);
  return { source: source.rows, target: target.rows };
};

/** Deletes all that is left of the organization. @returns the number of calls. */
export const retireAll = async (at: Cell, moved: Moved): Promise<number> => {
  for (let calls = 1; ; calls++) if (!(await at.moves.retire(moved)).more) return calls;
};

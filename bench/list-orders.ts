/**
 * R12: GET /orders?limit=50 through the local stack against Express and pg in one process, with the
 * same rows; the local stack's response has a cursor as well. `node bench/list-orders.ts`. With
 * BEFORE=FOLDER the other side is the local stack of another checkout. Needs wrk.
 */
import { join } from 'node:path';
import { bearer } from './http/bearer.ts';
import { compareRequests, expressSide, stackSide } from './http/compare-requests.ts';
import { type Prepared, withStack } from './http/with-stack.ts';

const before = process.env.BEFORE;
const path = '/orders?limit=50';

const listing = (prepared: Prepared, name?: string) => ({
  ...stackSide(prepared, name),
  target: async () => ({
    url: prepared.baseUrl + path,
    headers: bearer(prepared.key),
    status: 200,
  }),
});

const againstExpress = async (ours: Prepared): Promise<void> => {
  const express = await expressSide(ours, path);
  const common = ({ data }: Record<string, unknown>) => data;
  await compareRequests(
    'R12: GET /orders?limit=50 against Express and pg',
    ours,
    { ...listing(ours), common },
    { ...express, common },
  );
  express.close();
};

await withStack(async (ours) => {
  if (!before) return againstExpress(ours);
  const other: { withStack: typeof withStack } = await import(
    join(before, 'bench/http/with-stack.ts')
  );
  await other.withStack((theirs) =>
    compareRequests(
      'R12: GET /orders?limit=50 against another checkout',
      ours,
      listing(ours),
      listing(theirs, 'before'),
    ),
  );
});

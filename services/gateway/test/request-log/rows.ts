import { Client } from 'pg';
import { query } from '../../../operators/test/operators-service.ts';
import type { GatewayUnderTest } from '../gateway-service.ts';

export interface Row {
  readonly id: string;
  readonly key_id: string;
  readonly method: string;
  readonly path: string;
  readonly operation: string | null;
  readonly status: number;
  readonly code: string | null;
  readonly request_id: string;
  readonly duration_ms: number;
  readonly left_out: number | null;
  readonly errors: string | null;
  readonly required_scope: string | null;
}

/** The rows of an organization in the log, oldest first. */
export const rowsOf = ({ database }: GatewayUnderTest, organizationId: string): Promise<Row[]> =>
  query<Row>(
    database.ownerUrl,
    'select *, coalesce(request_id, id::text) as request_id from requests where organization_id = $1 order by id',
    [organizationId],
  );

/** Runs `work` while another session holds a lock that no row can be added under. */
export const whileLocked = async (
  { database }: GatewayUnderTest,
  work: () => Promise<void>,
): Promise<void> => {
  const locking = new Client({ connectionString: database.ownerUrl });
  await locking.connect();
  try {
    await locking.query('begin; lock table requests in share mode');
    await work();
  } finally {
    await locking.end();
  }
};

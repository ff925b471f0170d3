import type { ServiceDatabase } from './webhooks-service.ts';

/** Moves all times of the queue into the past by `ms`, as if so much time had passed. */
export const passTime = async ({ superuser }: Pick<ServiceDatabase, 'superuser'>, ms: number) => {
  const columns = await superuser.query<{ name: string }>(
    `select column_name as name from information_schema.columns
     where table_name = 'pending_deliveries' and data_type = 'timestamp with time zone'`,
  );
  const moved = columns.map(({ name }) => `${name} = ${name} - $1::float8 * interval '1 ms'`);
  await superuser.query(`update pending_deliveries set ${moved.join(', ')}`, [ms]);
};

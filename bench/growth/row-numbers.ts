/** Filled rows are numbered, so that the databases of two services have rows of the same orders. */
const organizations = 10;

/** The time of order `n`: an order each second, the newest first. $3 is the time of the filling. */
export const madeAt = `$3::timestamptz - n * interval '1 second'`;

/** The id of order `n`, a UUIDv7 of its time. */
export const idOf = `(lpad(to_hex(floor(extract(epoch from ${madeAt}) * 1000)::bigint), 12, '0')
  || '7' || substr(md5(n::text), 1, 3) || '8' || substr(md5(n::text), 4, 15))::uuid`;

/** The organization of order `n`: $1 for each tenth order. */
export const organizationOf = `case n % ${organizations} when 0 then $1::uuid
  else md5('organization' || n % ${organizations})::uuid end`;

/** Numbers of orders of organization $1, at random, below $2. */
export const randomOwnOrders = `
select ${idOf} as id
from (select ${organizations} * (1 + floor(random() * ($2::int / ${organizations} - 1)))::int as n
  from generate_series(1, 1000)) numbers where $1::uuid is not null`;

/** What each statement of a filling has as $1 to $3. */
export type FillParameters = readonly [organizationId: string, rows: number, at: string];

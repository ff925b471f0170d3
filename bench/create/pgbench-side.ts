import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { migrate } from '@pto/database';
import { withClient } from '@pto/stores';
import { asSuperuser } from '../../e2e/as-superuser.ts';
import { migrations } from '../../services/orders/migrations/index.ts';
import type { Prepared } from '../http/stack.ts';
import { roundOf } from '../measuring/percentile.ts';
import type { Side } from '../measuring/ratio.ts';

const run = promisify(execFile);
const name = 'orders_pgbench';

/** The rows of one created order with an idempotency key, in one transaction. */
const script = (organization: string, location: string): string => `
begin;
with o as (insert into orders (id, organization_id, status, sla, source, pickup_location_id,
    dropoff_location_id, dropoff_address_text, pickup_window_start, sequence, last_event_at, items,
    item_count)
  values (uuidv7(), '${organization}', 'SUBMITTED', 'STANDARD', 'partner_api', '${location}',
    '${location}', 'Marienplatz 1, 80331 München', '2030-01-01', 1,
    '2030-01-01', '[{"goods_type": "b","seal_id": null},{"goods_type": "b","seal_id": null}]', 2)
  returning id)
select id as order_id from o \\gset
insert into produced_events (organization_id, order_id, sequence, digest)
  values ('${organization}', :order_id, 1, sha256('digest'));
insert into unreported_events (organization_id, order_id, sequence)
  values ('${organization}', :order_id, 1);
insert into outbox (event_id, topic, key, type, value)
  values (uuidv7(), 'orders.order-events.v1', :order_id, 'order.submitted', decode(repeat('ab', 300), 'hex'));
insert into idempotency (id, organization_id, route, key, body_sha256, answer)
  values (uuidv7(), '${organization}', 'POST /orders', :order_id, sha256('body'), decode(repeat('ab', 1200), 'hex'));
commit;
`;

/**
 * A side on which pgbench inserts the rows of created orders for whole seconds, one order per
 * transaction, into a database of its own in the stack's server, migrated like that of orders.
 */
export const pgbenchSide = async (
  { stack }: Prepared,
  seconds: number,
): Promise<(connections: number) => Side> => {
  const url = new URL(stack.file().stores.postgres.superuser);
  await asSuperuser(stack, 'postgres', (client) => client.query(`create database ${name}`));
  url.pathname = name;
  await migrate(url.href, migrations);
  const { rows } = await withClient(url.href, (client) =>
    client.query(`insert into locations (id, organization_id, label, street, zip, city, country,
        address_key, created_via_api)
      values (uuidv7(), uuidv7(), 'l', 's', 'z', 'c', 'DE', 'k', true)
      returning id, organization_id`),
  );
  const file = join(stack.dir, 'create.sql');
  writeFileSync(file, script(rows[0].organization_id, rows[0].id).replaceAll(/\n {2,}/g, ' '));
  return (connections) => ({
    name: 'pgbench',
    processes: ['postgres'],
    round: async () => {
      const words = ['-n', '-M', 'prepared', '-c', `${connections}`, '-T', `${seconds}`];
      // a file pgbench.PID of each round: the third word of a line is the time in µs
      const logged = ['-l', '--log-prefix', join(stack.dir, 'pgbench')];
      await run('pgbench', [...words, '-f', file, ...logged, url.href]);
      return roundOf(timesIn(stack.dir));
    },
  });
};

/** Reads the times of the transactions in ms from pgbench's logs in a folder; removes the logs. */
const timesIn = (folder: string): number[] =>
  readdirSync(folder)
    .filter((file) => file.startsWith('pgbench.'))
    .flatMap((file) => {
      const path = join(folder, file);
      const lines = readFileSync(path, 'utf8').split('\n').filter(Boolean);
      unlinkSync(path);
      return lines.map((line) => Number(line.split(' ')[2]) / 1000);
    });

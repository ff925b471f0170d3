import { readFileSync } from 'node:fs';
import { until } from '@pto/testing';
import { asSuperuser } from '../../../e2e/as-superuser.ts';
import { signalAll } from '../../../e2e/kill.ts';
import { asIntruder } from './as-intruder.ts';
import { findInLog } from './runbook.ts';
import type { AlertFault, AlertScene } from './scene.ts';

/** More rows than a rotation moves. */
const rows = 10_001;
const page = new URL('../../../docs/operators/runbooks/PartitionsNotRotated.md', import.meta.url);

/** Returns a day of the coming week, for which rotations create a partition. */
const comingDay = ({ stack }: AlertScene): Promise<string> =>
  asSuperuser(stack, 'webhooks', async (client) => {
    const { rows: found } = await client.query(
      `select to_char((now() at time zone 'utc')::date + 6, 'YYYY-MM-DD') as day`,
    );
    return found[0].day as string;
  });

const partitionOf = (day: string): string => `inbox_${day.replaceAll('-', '')}`;

/** Rows of a coming day, as of a process whose clock is wrong, are in the default partition. */
const rowsOfComingDay = async (scene: AlertScene): Promise<void> => {
  const day = await comingDay(scene);
  await asIntruder(
    scene,
    'webhooks',
    `drop table ${partitionOf(day)};
     insert into inbox (consumer, event_id)
     select 'rehearsal', (lpad(to_hex((extract(epoch from date '${day}')::bigint) * 1000 + n), 12, '0')
       || '00000000000000000000')::uuid from generate_series(1, ${rows}) as n`,
  );
};

/** Moves the rows by the statements of the runbook, and restarts the service. */
const moveRows = async (scene: AlertScene): Promise<void> => {
  const day = await comingDay(scene);
  const [, text = ''] = /```sql\n([^`]*)```/.exec(readFileSync(page, 'utf8')) ?? [];
  const statements = text.replace("'outbox'", "'inbox'").replace(/date '[^']*'/, `date '${day}'`);
  await asSuperuser(scene.stack, 'webhooks', async (client) => {
    const count = async () =>
      Number((await client.query('select count(*) from inbox_other')).rows[0].count);
    scene.stage.note(`    rows in inbox_other: ${await count()}`);
    scene.stage.note(`    psql webhooks: ${statements.trim()}`);
    await client.query(statements);
    await until(async () => (await count()) === 0, { what: 'an empty default partition' });
    const { rows: found } = await client.query(`select to_regclass('${partitionOf(day)}') as name`);
    if (found[0].name === null) throw new Error('the partition exists after the move');
  });
};

export const partitionFault: AlertFault = {
  what: 'rows of a coming day are in the default partition when webhooks starts',
  alerts: [{ alert: 'PartitionsNotRotated' }],
  prepare: async (scene) => {
    await rowsOfComingDay(scene);
    const pid = () => scene.stack.file().services.find(({ name }) => name === 'webhooks')!.pid;
    const before = pid();
    signalAll(scene.stack, 'webhooks', 'SIGTERM');
    await until(() => pid() !== before, { what: 'webhooks to be started again' });
  },
  begin: async (scene) => () => moveRows(scene),
  follow: async (scene) => {
    const alert = 'PartitionsNotRotated';
    await findInLog(scene, alert, 'webhooks-0', 'partitions could not be created');
    await findInLog(scene, alert, 'postgres', 'partition … was not created:');
    await findInLog(scene, alert, 'postgres', '… holds more than 10000 rows of …');
  },
};

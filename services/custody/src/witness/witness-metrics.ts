import { execute, fragment, type Sql } from '@pto/database';
import { Counter, Gauge, type Telemetry } from '@pto/telemetry';
import { tables } from '../schema/ledger-database.ts';
import type { Witness } from './witness-setting.ts';

/** Reasons why a checkpoint was not cosigned. */
const reasons = ['unreachable', 'failure', 'contradiction'] as const;
export type Reason = (typeof reasons)[number];

/**
 * Creates the metrics of the witnesses.
 * @returns a function that counts a failed submission of this process.
 */
export const witnessMetrics = (
  sql: Sql,
  witnesses: readonly Witness[],
  { metrics }: Telemetry,
): ((witness: Witness, reason: Reason) => void) => {
  const failures = new Counter({
    name: 'custody_witness_failures_total',
    help: 'Submissions that a witness did not cosign, by this process',
    labelNames: ['witness', 'reason'],
    registers: [metrics],
  });
  for (const { key } of witnesses)
    for (const reason of reasons) failures.inc({ witness: key.name, reason }, 0);
  new Gauge({
    name: 'custody_witness_behind_seconds',
    help: 'Age of the oldest anchored checkpoint that is newer than all the witness cosigned',
    labelNames: ['witness'],
    registers: [metrics],
    async collect() {
      this.reset();
      const behind = await secondsBehind(sql).catch(() => new Map<string, number>());
      for (const { key } of witnesses) {
        const seconds = behind.get(key.vkey);
        if (seconds !== undefined) this.set({ witness: key.name }, seconds);
      }
    },
  });
  return ({ key }, reason) => failures.inc({ witness: key.name, reason });
};

/**
 * Returns how far each witness is behind, by vkey: the age in seconds of the oldest anchored
 * checkpoint after the last cosigned one; 0 if the newest anchored checkpoint is cosigned.
 */
const secondsBehind = async (sql: Sql): Promise<Map<string, number>> => {
  const rows = await execute(
    sql,
    tables.selectFrom('log_witnesses as w').select(({ fn, selectFrom, val }) => [
      'w.vkey',
      fn
        .coalesce(
          selectFrom('log_checkpoints as c')
            .select(({ ref }) =>
              fragment<number>`extract(epoch from clock_timestamp() - ${ref('c.signed_at')})::float8`.as(
                'age',
              ),
            )
            .whereRef('c.size', '>', 'w.cosigned_size')
            .where('c.size', '<=', selectFrom('log_state').select('anchored_size'))
            .orderBy('c.size')
            .limit(1),
          val(0),
        )
        .as('seconds'),
    ]),
  );
  return new Map(rows.map(({ vkey, seconds }) => [vkey, seconds]));
};

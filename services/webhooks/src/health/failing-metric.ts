import { type Database, execute } from '@pto/database';
import { Gauge, type Telemetry } from '@pto/telemetry';
import { tables } from '../schema/tables.ts';

/**
 * Maximum number of endpoints in the metric, so that the number of its labels does not grow with
 * the number of partners.
 */
const namedMax = 20;

/** Registers the gauge of consecutive failures of the 20 endpoints that have the most failures. */
export const observeFailing = (db: Database, telemetry: Telemetry): void => {
  new Gauge({
    name: 'webhook_endpoint_consecutive_failures',
    help: `Failed attempts in a row, of the ${namedMax} endpoints that have most`,
    labelNames: ['endpoint'],
    registers: [telemetry.metrics],
    async collect() {
      this.reset(); // no value during an outage of the database: a stale one would hide it
      const worst = await execute(db, mostFailing).catch(() => []);
      for (const { id, failures } of worst) this.set({ endpoint: id }, failures);
    },
  });
};

const mostFailing = tables
  .selectFrom('endpoints')
  .select(['id', 'consecutive_failures as failures'])
  .where('consecutive_failures', '>', 0)
  .where('status', '=', 'ENABLED')
  .where('disabled', '=', false)
  .orderBy('consecutive_failures', 'desc')
  .orderBy('id')
  .limit(namedMax);

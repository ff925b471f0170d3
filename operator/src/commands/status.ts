import { Failure } from '@pto/errors';
import type { Measurement } from '@pto/proto/operators/v1/status';
import { Command } from 'commander';
import type { OpenClients } from '../clients.ts';
import { NotValid, print } from '../output.ts';

/** What a service measures, or that it does not respond. */
interface Row {
  readonly service: string;
  readonly measurement: string;
  /** Topic and group, or the name of a witness. */
  readonly of: string | null;
  readonly value: number | string;
  /** Whether people should look at it. */
  readonly attention: boolean;
}

const columns = ['service', 'measurement', 'of', 'value', 'attention'];

/** Values above these need attention. The alerts also look at how long (deploy/helm/partner-api/rules). */
const limits: Readonly<Record<string, number>> = {
  outbox_oldest_unsent_seconds: 60,
  bus_consumer_lag: 5000,
  bus_dead_letters: 0,
  custody_violations_open: 0,
  custody_last_audit_seconds: 900,
  custody_last_full_audit_seconds: 1_209_600,
  custody_log_unanchored_seconds: 900,
  custody_log_halted: 0,
  custody_witness_behind_seconds: 900,
  webhook_oldest_due_seconds: 300,
  webhook_suspect_deliveries: 0,
  webhook_refused_deliveries: 0,
};

/** Shown with the value 0, too: it is the result of an audit. */
const results = ['custody_last_audit_violations', 'custody_last_full_audit_violations'];

export const statusCommand = (open: OpenClients): Command =>
  new Command('status')
    .description('what each service measures now; exit 1 if something needs attention')
    .option('--all', 'also what needs no attention and is 0')
    .action(async ({ all }, command) => {
      const { status } = open();
      const answers = await Promise.all(
        Object.entries(status).map(async ([service, client]) => {
          try {
            const { measurements } = await client.getMeasurements({});
            return rowsOf(service, measurements);
          } catch (error) {
            return [unavailable(service, error)];
          }
        }),
      );
      const rows = answers.flat();
      const { json } = command.optsWithGlobals();
      const shown = rows.filter(
        ({ attention, measurement, value }) =>
          all || json || attention || value !== 0 || results.includes(measurement),
      );
      await print(command, shown, columns);
      if (rows.some(({ attention }) => attention)) throw new NotValid();
    });

/** Kinds of failure of a service that does not respond. */
const silent: readonly string[] = ['SERVICE_UNAVAILABLE', 'DEADLINE_EXCEEDED'];

const rowsOf = (service: string, measurements: readonly Measurement[]): Row[] => [
  { service, measurement: 'available', of: null, value: 'yes', attention: false },
  ...measurements.map(({ name, labels, value }) => ({
    service,
    measurement: name,
    of: labels.length > 0 ? labels.join(', ') : null,
    value: Math.round(value * 10) / 10,
    attention: value > (limits[name] ?? Number.POSITIVE_INFINITY),
  })),
];

/** @throws the error if it is not about the service, such as a rejected credential. */
const unavailable = (service: string, error: unknown): Row => {
  if (!(error instanceof Failure) || !silent.includes(error.kind)) throw error;
  return { service, measurement: 'available', of: null, value: 'no', attention: true };
};

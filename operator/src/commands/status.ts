import { Failure } from '@pto/errors';
import { measurements } from '@pto/proto/measurements';
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

export const statusCommand = (open: OpenClients): Command =>
  new Command('status')
    .description('what each service measures now; exit 1 if something needs attention')
    .option('--all', 'also what needs no attention and is 0')
    .action(async ({ all }, command) => {
      const { status } = open();
      const answers = await Promise.all(
        Object.entries(status).map(async ([service, client]) => {
          try {
            return rowsOf(service, (await client.getMeasurements({})).measurements);
          } catch (error) {
            return [unavailable(service, error)];
          }
        }),
      );
      const rows = answers.flat();
      const { json } = command.optsWithGlobals();
      const shown = rows.filter(
        ({ attention, measurement, value }) =>
          all || json || attention || value !== 0 || measurements[measurement]?.isResult,
      );
      await print(command, shown, columns);
      if (rows.some(({ attention }) => attention)) throw new NotValid();
    });

/** Kinds of failure of a service that does not respond. */
const silent: readonly string[] = ['SERVICE_UNAVAILABLE', 'DEADLINE_EXCEEDED'];

const rowsOf = (service: string, measured: readonly Measurement[]): Row[] => [
  { service, measurement: 'available', of: null, value: 'yes', attention: false },
  ...measured.map(({ name, labels, value }) => ({
    service,
    measurement: name,
    of: labels.length > 0 ? labels.join(', ') : null,
    value: Math.round(value * 10) / 10,
    attention: value > (measurements[name]?.limit ?? Number.POSITIVE_INFINITY),
  })),
];

/** @throws the error if it is not about the service, such as a rejected credential. */
const unavailable = (service: string, error: unknown): Row => {
  if (!(error instanceof Failure) || !silent.includes(error.kind)) throw error;
  return { service, measurement: 'available', of: null, value: 'no', attention: true };
};

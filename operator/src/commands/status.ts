import { Failure } from '@pto/errors';
import { isSilence, measurements, runbookOf, silenceRunbook } from '@pto/proto/measurements';
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
  readonly attention: boolean;
  /** A file of docs/operators/runbooks; null: the value needs no attention. */
  readonly runbook: string | null;
}

const columns = ['service', 'measurement', 'of', 'value', 'attention', 'runbook'];

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

const rowOf = ({ runbook, ...row }: Omit<Row, 'attention'>): Row => ({
  ...row,
  attention: runbook !== null,
  runbook,
});

const rowsOf = (service: string, measured: readonly Measurement[]): Row[] => [
  rowOf({ service, measurement: 'available', of: null, value: 'yes', runbook: null }),
  ...measured.map((one) =>
    rowOf({
      service,
      measurement: one.name,
      of: one.labels.length > 0 ? one.labels.join(', ') : null,
      value: Math.round(one.value * 10) / 10,
      runbook: runbookOf(one) ?? null,
    }),
  ),
];

/** @throws the error if it is not about the service, such as a rejected credential. */
const unavailable = (service: string, error: unknown): Row => {
  if (!(error instanceof Failure) || !isSilence(error.kind)) throw error;
  return rowOf({
    service,
    measurement: 'available',
    of: null,
    value: 'no',
    runbook: silenceRunbook,
  });
};

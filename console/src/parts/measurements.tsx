import type { Measurement } from '@pto/proto/operators/v1/status';
import { clients, type Process, processes } from '../calls/clients.ts';
import { failureOf } from '../calls/failure.ts';
import { useCall } from '../calls/use-call.ts';
import { Table } from './table.tsx';

interface Row {
  readonly id: string;
  readonly process: Process;
  readonly what: string;
  readonly value: string;
}

const rowsOf = (process: Process, measurements: readonly Measurement[]): Row[] =>
  measurements.map(({ name, labels, value }) => ({
    id: [process, name, ...labels].join(' '),
    process,
    what: [name.replaceAll('_', ' '), ...labels].join(', '),
    value: `${Math.round(value * 10) / 10}`,
  }));

/** What the processes measure now, live. A process that does not answer has a row that says so. */
export const Measurements = ({
  of = processes,
  matching = /./,
}: {
  of?: readonly Process[];
  matching?: RegExp;
}) => {
  const query = useCall(
    ['measurements', of],
    () =>
      Promise.all(
        of.map(async (process) => {
          try {
            const { measurements } = await clients.status[process].getMeasurements({
              refresh: true,
            });
            return rowsOf(
              process,
              measurements.filter(({ name }) => matching.test(name)),
            );
          } catch (error) {
            const failed = failureOf(error);
            if (!failed.isOffline && failed.kind !== 'SERVICE_UNAVAILABLE') throw error;
            return [{ id: process, process, what: 'does not answer', value: '' }];
          }
        }),
      ),
    { live: true },
  );
  return (
    <Table
      query={query}
      rows={(all) => all.flat()}
      id={({ id }) => id}
      columns={[
        ['Process', ({ process }) => process],
        ['Measurement', ({ what }) => what],
        ['Value', ({ value }) => value],
      ]}
      caption="Measurements"
      empty="Nothing is measured."
    />
  );
};

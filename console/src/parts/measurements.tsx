import { measurements } from '@pto/proto/measurements';
import type { Measurement } from '@pto/proto/operators/v1/status';
import type { ReactNode } from 'react';
import { clients, type Process, processes } from '../calls/clients.ts';
import { failureOf } from '../calls/failure.ts';
import { useCall } from '../calls/use-call.ts';
import { Table } from './table.tsx';

interface Row {
  readonly id: string;
  readonly process: Process;
  readonly what: string;
  readonly value: ReactNode;
  readonly needsAttention: boolean;
}

const rowsOf = (process: Process, measured: readonly Measurement[]): Row[] =>
  measured.map(({ name, labels, value }) => {
    const { words = name, unit, limit = Number.POSITIVE_INFINITY } = measurements[name] ?? {};
    return {
      id: [process, name, ...labels].join(' '),
      process,
      what: labels.length > 0 ? `${words}: ${labels.join(', ')}` : words,
      value: unit === 'seconds' ? span(value) : Math.round(value),
      needsAttention: value > limit,
    };
  });

/** Returns seconds as people say them. */
const span = (seconds: number): string => {
  if (seconds < 120) return `${Math.round(seconds)} s`;
  if (seconds < 7200) return `${Math.round(seconds / 60)} min`;
  return seconds < 172_800
    ? `${Math.round(seconds / 3600)} h`
    : `${Math.round(seconds / 86_400)} d`;
};

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
            const answer = await clients.status[process].getMeasurements({ refresh: true });
            return rowsOf(
              process,
              answer.measurements.filter(({ name }) => matching.test(name)),
            );
          } catch (error) {
            const failed = failureOf(error);
            if (!failed.isOffline && failed.kind !== 'SERVICE_UNAVAILABLE') throw error;
            return [
              { id: process, process, what: 'Does not answer', value: '', needsAttention: true },
            ];
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
        [
          'Value',
          ({ value, needsAttention }) =>
            needsAttention ? <span className="badge bad">{value || 'look'}</span> : value,
        ],
      ]}
      caption="Measurements"
      empty="Nothing is measured."
    />
  );
};

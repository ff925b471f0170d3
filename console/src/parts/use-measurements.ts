import { operatorRoles } from '@pto/proto/callers';
import { isSilence, measurements, runbookOf, silenceRunbook } from '@pto/proto/measurements';
import type { Measurement } from '@pto/proto/operators/v1/status';
import { clients, type Process, processes } from '../calls/clients.ts';
import { failureOf } from '../calls/failure.ts';
import { useCall } from '../calls/use-call.ts';
import { duration } from './duration.ts';
import { useMay } from './me.ts';

/** What a process measures, or that it does not respond. */
export interface MeasuredRow {
  readonly id: string;
  readonly process: Process;
  /** The measurement's name; empty: the process does not respond. */
  readonly name: string;
  readonly what: string;
  /** What of the process it is about; empty: all of it. */
  readonly of: string;
  readonly value: string;
  readonly number: number;
  /** A file of docs/operators/runbooks; undefined: the value needs no attention. */
  readonly runbook: string | undefined;
}

const rowsOf = (process: Process, measured: readonly Measurement[]): MeasuredRow[] =>
  measured.map(({ name, labels, value }) => {
    const { words = name, unit, states } = measurements[name] ?? {};
    return {
      id: [process, name, ...labels].join(' '),
      process,
      name,
      number: value,
      what: words,
      of: labels.join(', '),
      value:
        states?.[value === 0 ? 0 : 1] ??
        (unit === 'seconds' ? duration(Math.round(value)) : String(Math.round(value))),
      runbook: runbookOf({ name, value }),
    };
  });

const silence = (process: Process): MeasuredRow => ({
  id: process,
  process,
  name: '',
  what: 'Does not respond',
  of: '',
  value: '',
  number: 0,
  runbook: silenceRunbook,
});

/** @throws the error if it is not about the process. */
const read = async (process: Process) => {
  try {
    const answer = await clients.status[process].getMeasurements({ refresh: true });
    return { rows: rowsOf(process, answer.measurements) };
  } catch (error) {
    const { isOffline, kind } = failureOf(error);
    if (!isOffline && !isSilence(kind)) throw error;
    return { rows: [silence(process)], ...(isOffline && { error }) };
  }
};

/**
 * Reads what the processes measure now, live. A process that does not respond has one row. If no
 * answer comes for any process, the console is what does not respond, and the call fails.
 */
export const useMeasurements = ({
  of = processes,
  everyMs,
}: {
  of?: readonly Process[];
  everyMs?: number;
} = {}) =>
  useCall(
    ['measurements', of],
    async () => {
      const all = await Promise.all(of.map(read));
      if (all.every(({ error }) => error !== undefined)) throw all[0]!.error;
      return all.flatMap(({ rows }) => rows);
    },
    { live: true, enabled: useMay()(...operatorRoles), ...(everyMs !== undefined && { everyMs }) },
  );

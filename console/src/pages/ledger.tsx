import type { Process } from '../calls/clients.ts';
import { measuredOf } from '../parts/measured.ts';
import { Measurements } from '../parts/measurements.tsx';
import { useMeasurements } from '../parts/use-measurements.ts';
import { Log } from './ledger/log.tsx';
import { Violations } from './ledger/violations.tsx';

const measuring: readonly Process[] = ['custody', 'orders'];

/** The ledger: its log, the last audits and what they found. */
export const LedgerPage = () => (
  <>
    <h1>Ledger</h1>
    <Violations />
    <h2>Audits and ages</h2>
    <Measurements
      query={useMeasurements({ of: measuring })}
      shows={({ name }) => ['ledger', 'services'].includes(measuredOf(name).group)}
    />
    <Log />
  </>
);

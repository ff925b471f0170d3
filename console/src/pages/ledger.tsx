import { Measurements } from '../parts/measurements.tsx';
import { Log } from './ledger/log.tsx';
import { Violations } from './ledger/violations.tsx';

/** The ledger: its log, the last audits and what they found. */
export const LedgerPage = () => (
  <>
    <h1>Ledger</h1>
    <Violations />
    <h2>Audits and ages</h2>
    <Measurements of={['custody', 'orders']} matching={/^custody_/} />
    <Log />
  </>
);

import type { SignedCheckpoint, WitnessState } from '@pto/proto/custody/v1/custody';
import { clients } from '../../calls/clients.ts';
import { useCall } from '../../calls/use-call.ts';
import { NotReadAgain, Waiting } from '../../parts/pending.tsx';
import { type Column, Rows } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';

const checkpointColumns: readonly Column<SignedCheckpoint>[] = [
  ['Entries', ({ size }) => String(size)],
  ['Signed', ({ signedAt }) => <Time at={signedAt} />],
  [
    'Anchored',
    ({ anchored }) =>
      anchored ? (
        <span className="badge good">anchored</span>
      ) : (
        <span className="badge moving">not yet</span>
      ),
  ],
  ['Cosigned by', ({ witnesses }) => witnesses.join(', ') || <span className="faint">nobody</span>],
  ['Root', ({ root }) => <code>{root}</code>],
];

/** A witness that is further behind needs attention, in s. */
const behindMax = 300;

const witnessColumns: readonly Column<WitnessState>[] = [
  ['Witness', ({ name }) => name],
  ['Cosigned up to', ({ cosignedSize }) => `${cosignedSize} entries`],
  ['Last cosignature', ({ cosignedAt }) => <Time at={cosignedAt} />],
  [
    'State',
    ({ secondsBehind, failures }) =>
      secondsBehind > behindMax ? (
        <span className="badge bad">behind, {failures} failures</span>
      ) : (
        <span className="badge good">up to date</span>
      ),
  ],
];

/** The log over all chains, live: how much of it is signed, anchored and cosigned. */
export const Log = () => {
  const query = useCall(['log'], () => clients.ledger.showLog({ refresh: true }), { live: true });
  const log = query.data;
  if (!log)
    return (
      <>
        <h2>Checkpoints and witnesses</h2>
        <Waiting label="Loading the log" query={query} />
      </>
    );
  return (
    <>
      <NotReadAgain query={query} />
      {log.halted !== '' && (
        <p className="error" role="alert">
          The log is halted: {log.halted}.
        </p>
      )}
      <h2>Checkpoints</h2>
      <p>
        {log.origin}: {String(log.size)} entries, {String(log.anchoredSize)} of them under an
        anchored checkpoint.
      </p>
      <Rows
        of={log.checkpoints}
        id={({ size }) => String(size)}
        columns={checkpointColumns}
        caption="Checkpoints"
        empty="No checkpoint was signed yet."
      />
      <h2>Witnesses</h2>
      <Rows
        of={log.witnesses}
        id={({ name }) => name}
        columns={witnessColumns}
        caption="Witnesses"
        empty="No witness is configured (CUSTODY_WITNESSES)."
      />
    </>
  );
};

import type { SignedCheckpoint, WitnessState } from '@pto/proto/custody/v1/custody';
import { clients } from '../../calls/clients.ts';
import { useCall } from '../../calls/use-call.ts';
import { counted } from '../../parts/counted.ts';
import { Finding } from '../../parts/finding.tsx';
import { type Column, Rows } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';

const checkpointColumns: readonly Column<SignedCheckpoint>[] = [
  ['Entries', ({ size }) => String(size)],
  ['Signed', ({ signedAt }) => <Time at={signedAt} />, 'named'],
  [
    'Anchored',
    ({ anchored }) =>
      anchored ? (
        <span className="badge good">anchored</span>
      ) : (
        <span className="badge">not yet</span>
      ),
    'state',
  ],
  [
    'Cosigned by',
    ({ witnesses }) => witnesses.join(', ') || <span className="faint">nobody</span>,
    'named',
  ],
  ['Root', ({ root }) => <code>{root}</code>, 'dropped'],
];

/** A witness that is further behind needs attention, in s. */
const behindMax = 300;

const witnessColumns: readonly Column<WitnessState>[] = [
  ['Witness', ({ name }) => name],
  ['Cosigned up to', ({ cosignedSize }) => `${cosignedSize} entries`, 'named'],
  ['Last cosignature', ({ cosignedAt }) => <Time at={cosignedAt} />, 'named'],
  [
    'State',
    ({ secondsBehind, failures }) =>
      secondsBehind > behindMax ? (
        <span className="badge bad">behind, {failures} failures</span>
      ) : (
        <span className="badge good">up to date</span>
      ),
    'state',
  ],
];

/** Reads the log over all chains, live: how much of it is signed, anchored and cosigned. */
export const useLog = () =>
  useCall(['log'], () => clients.ledger.showLog({ refresh: true }), { live: true });

/** The newest checkpoints of the log and its witnesses, behind a sentence about each. */
export const Log = ({ query }: { query: ReturnType<typeof useLog> }) => {
  const { halted = '', checkpoints = [], witnesses = [] } = query.data ?? {};
  const [newest] = checkpoints;
  const isBehind = witnesses.some(({ secondsBehind }) => secondsBehind > behindMax);
  return (
    <>
      <Finding
        query={query}
        tone={halted !== '' ? 'bad' : newest ? 'good' : 'none'}
        says={
          halted !== ''
            ? `The log is halted: ${halted}.`
            : newest
              ? 'Checkpoints are signed.'
              : 'No checkpoint was signed yet.'
        }
      >
        {newest && (
          <Rows
            of={checkpoints}
            id={({ size }) => String(size)}
            columns={checkpointColumns}
            caption="Checkpoints"
          />
        )}
      </Finding>
      {query.data && (
        <Finding
          query={query}
          tone={isBehind ? 'bad' : witnesses.length === 0 ? 'warns' : 'good'}
          says={
            witnesses.length === 0
              ? 'Nobody outside cosigns the log: no witness is configured.'
              : isBehind
                ? 'A witness is behind.'
                : `${counted(witnesses.length, 'witness cosigns', 'witnesses cosign')} in time.`
          }
        >
          {witnesses.length > 0 && (
            <Rows
              of={witnesses}
              id={({ name }) => name}
              columns={witnessColumns}
              caption="Witnesses"
            />
          )}
        </Finding>
      )}
    </>
  );
};

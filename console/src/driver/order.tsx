import { useCallback } from 'react';
import { Link } from 'wouter';
import { Text } from '../parts/text.tsx';
import { t } from '../parts/words.ts';
import { nextStep } from './next-step.ts';
import { addRecord } from './records.ts';
import type { Shift } from './shift.ts';
import { StepForm } from './step-form.tsx';
import { openStore } from './store.ts';
import { useStored } from './use-stored.ts';

/** One order: where to go, what to carry, and one button for what is next. */
export const OrderPage = ({
  id,
  shift,
  isOffline,
}: {
  id: string;
  shift: Shift;
  isOffline: boolean;
}) => {
  const read = useCallback(async () => {
    const store = await openStore();
    const known = await store.get('orders', id);
    return known && { known, records: await store.getAllFromIndex('records', 'byOrder', id) };
  }, [id]);
  const stored = useStored(read);
  if (!stored) return <main className="driver" aria-busy="true" />;
  const { known, records } = stored;
  const next = nextStep(known, records);
  return (
    <main className="driver">
      <Link href="/">{t('All transports')}</Link>
      <h1>
        <Text of={`${known.open.pickup!.city} – ${known.open.dropoff!.city}`} />
      </h1>
      {isOffline && <p role="status">{t('No network. Records wait on this phone.')}</p>}
      {next ? (
        <StepForm
          key={JSON.stringify(next)}
          next={next}
          known={known}
          shift={shift}
          onRecord={(step) => addRecord(known, shift, step, null)}
        />
      ) : (
        <p>{t('Nothing is left to do.')}</p>
      )}
      <ol>
        {records.map(({ number, step, at, state, failure }) => (
          <li key={number}>
            {t(step.name)} {at} {t(state)}
            {failure && <Text of={` ${failure.message}`} />}
          </li>
        ))}
      </ol>
    </main>
  );
};

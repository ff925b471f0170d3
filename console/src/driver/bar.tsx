import { useCallback, useSyncExternalStore } from 'react';
import { Link, useLocation } from 'wouter';
import { t } from '../parts/words.ts';
import type { Shift } from './shift.ts';
import { noteChange, openStore } from './store.ts';
import { useStored } from './use-stored.ts';

const onConnection = (changed: () => void) => {
  for (const name of ['online', 'offline']) addEventListener(name, changed);
  return () => {
    for (const name of ['online', 'offline']) removeEventListener(name, changed);
  };
};

/** Returns the number of a driver's records that are not sent. */
export const useWaiting = (driverId: string): number => {
  const read = useCallback(async () => {
    const records = await (await openStore()).getAll('records');
    return records.filter((one) => one.driverId === driverId && one.state === 'waiting').length;
  }, [driverId]);
  return useStored(read) ?? 0;
};

/** On each page: the way back, the connection, and what waits on this phone. */
export const Bar = ({ shift, hasFailed }: { shift: Shift; hasFailed: boolean }) => {
  const [path] = useLocation();
  const isOnline = useSyncExternalStore(onConnection, () => navigator.onLine) && !hasFailed;
  const waiting = useWaiting(shift.driverId);
  return (
    <header className="pinned">
      <nav aria-label={t('Pages')}>
        {path === '/' ? (
          <Link href="/shift">{t('Shift')}</Link>
        ) : (
          <Link href="/">{t('All transports')}</Link>
        )}
        <p role="status" className={isOnline && waiting === 0 ? 'good' : 'warn'}>
          {!isOnline && t('No network.')}{' '}
          {waiting > 0 && t('Not sent: {count}', { count: waiting })}
          {isOnline && waiting === 0 && t('All is sent')}
        </p>
      </nav>
      {waiting > 0 && (
        <button type="button" className="quiet" onClick={noteChange}>
          {t('Send now')}
        </button>
      )}
    </header>
  );
};

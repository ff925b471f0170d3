import { useCallback, useSyncExternalStore } from 'react';
import { Link, useLocation } from 'wouter';
import { t } from '../parts/words.ts';
import { textOf } from './failure-words.ts';
import { reasonOf } from './reason.ts';
import type { Shift } from './shift.ts';
import { noteChange, openStore, useStored } from './store.ts';

const onConnection = (changed: () => void) => {
  for (const name of ['online', 'offline']) addEventListener(name, changed);
  return () => {
    for (const name of ['online', 'offline']) removeEventListener(name, changed);
  };
};

/** Returns the number of records that are not sent. @param driverId whose; absent: anybody's. */
export const useWaiting = (driverId?: string): number => {
  const read = useCallback(async () => {
    const records = await (await openStore()).getAll('records');
    return records.filter(
      (one) => one.state === 'waiting' && (driverId ?? one.driverId) === one.driverId,
    ).length;
  }, [driverId]);
  return useStored(read) ?? 0;
};

/** At the end of a shift: what waits on this phone. */
export const NotSent = ({ driverId }: { driverId?: string }) => {
  const count = useWaiting(driverId);
  return (
    count > 0 && (
      <p className="notice">
        {t('Not sent: {count}. They stay on this phone, and are sent in your next shift on it.', {
          count,
        })}
      </p>
    )
  );
};

/** On each page: the way back, the connection, and what waits on this phone. */
export const Bar = ({ shift, error }: { shift: Shift; error: unknown }) => {
  const [path] = useLocation();
  const reason = error ? reasonOf(error) : null;
  const hasNetwork = useSyncExternalStore(onConnection, () => navigator.onLine);
  const isOnline = hasNetwork && reason?.kind !== 'NO_ANSWER';
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
      {isOnline && reason && (
        <p className="warn" role="status">
          {textOf(reason)}
        </p>
      )}
      {waiting > 0 && (
        <button type="button" className="quiet" onClick={noteChange}>
          {t('Send now')}
        </button>
      )}
    </header>
  );
};

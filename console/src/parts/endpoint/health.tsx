import type { Schemas } from '../schemas.ts';
import { Time } from '../time.tsx';
import { rich, t } from '../words.ts';

/** Whether events arrive at an endpoint, in a sentence. That of the handshake is said with its steps. */
export const Health = ({ of }: { of: Schemas['WebhookEndpoint'] }) => {
  const { status, disabled, consecutive_failures: count, health, last_success_at: last } = of;
  if (status === 'PENDING_VERIFICATION') return null;
  if (disabled)
    return <p className="verdict">{t('Nothing is sent until the endpoint is enabled again.')}</p>;
  if (status === 'BROKEN')
    return (
      <p className="verdict bad">
        {t('It is broken, and nothing is sent. Repair the receiver, then verify it here.')}
      </p>
    );
  const success = last
    ? rich('the last event arrived {time}', { time: <Time at={last} /> })
    : t('no event has arrived yet');
  if (count === 0)
    return (
      <p className={last ? 'verdict good' : 'verdict'}>
        {rich('All is well: {success}.', { success })}
      </p>
    );
  return (
    <p className="verdict bad">
      {rich('Attempts fail, {count} in a row; {success}.', { count, success })}{' '}
      {health.breaks_at &&
        rich('It becomes broken {time}.', { time: <Time at={health.breaks_at} /> })}
    </p>
  );
};

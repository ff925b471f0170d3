import { Time } from '../time.tsx';
import { rich, t } from '../words.ts';
import { adviceOn } from './advice.ts';
import { useDeliveries } from './deliveries.tsx';
import type { EndpointParts } from './source.ts';

/**
 * Whether events arrive at an endpoint, and why not, in a sentence. That of the handshake is said with
 * its steps.
 */
export const Health = ({ source, endpoint }: EndpointParts) => {
  const { status, disabled, consecutive_failures: count, health, last_success_at: last } = endpoint;
  const sent = useDeliveries(source, endpoint.id, { enabled: count > 0 }).data?.data ?? [];
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
        rich('Deliveries stop {time}: the endpoint is then broken.', {
          time: <Time at={health.breaks_at} />,
        })}{' '}
      {t(sent.map(({ attempts }) => adviceOn(attempts.at(-1) ?? {})).find(Boolean) ?? '')}
    </p>
  );
};

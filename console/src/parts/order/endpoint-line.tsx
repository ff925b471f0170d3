import { firstLine } from '@pto/representation';
import { useState } from 'react';
import { Link } from 'wouter';
import { Badge } from '../badge.tsx';
import { deliveryColumns } from '../delivery-columns.tsx';
import { Problem } from '../problem.tsx';
import { QuietButton } from '../quiet-button.tsx';
import type { Schemas } from '../schemas.ts';
import { shortId } from '../short-id.ts';
import { Rows } from '../table.tsx';
import { Text } from '../text.tsx';
import { Time } from '../time.tsx';
import { useCommand } from '../use-command.ts';
import { rich, t } from '../words.ts';

type Delivery = Schemas['Delivery'];
type Attempt = Schemas['DeliveryAttempt'];

/** One line that says what one endpoint has received, and the deliveries to it under the line. */
export const EndpointLine = ({
  of,
  deliveries,
  isAmbiguous,
  sendAgain,
}: {
  of: Schemas['EndpointSummary'];
  deliveries: readonly Delivery[];
  isAmbiguous: boolean;
  sendAgain: (() => Promise<string>) | undefined;
}) => {
  const { endpoint_id, endpoint_address: address, endpoint_deleted_at: deletedAt } = of;
  const name = <Text of={address || shortId(endpoint_id)} />;
  const isComplete = of.delivered === of.events;
  const canSend = sendAgain && (of.failed > 0 || of.last_failure != null);
  return (
    <>
      <div className="endpoint">
        <h3>{deletedAt ? name : <Link href={`/endpoints/${endpoint_id}`}>{name}</Link>}</h3>
        {isAmbiguous && <span className="faint">{shortId(endpoint_id)}</span>}
        <strong className={isComplete ? 'good' : 'bad'}>
          {t('{delivered} of {events}', { delivered: of.delivered, events: of.events })}
        </strong>
        {of.last_delivered_at && (
          <span className="faint">
            {rich('last {time}', { time: <Time at={of.last_delivered_at} /> })}
          </span>
        )}
        {of.last_failure && <Failure of={of.last_failure} />}
        {of.due_at && !isComplete && (
          <span className="faint">
            {rich('next attempt {time}', { time: <Time at={of.due_at} /> })}
          </span>
        )}
        {of.endpoint_disabled && <Badge of="DISABLED" />}
        {of.endpoint_status && of.endpoint_status !== 'ENABLED' && (
          <Badge of={of.endpoint_status} />
        )}
        {deletedAt && (
          <span className="faint">
            {rich('endpoint deleted {time}', { time: <Time at={deletedAt} /> })}
          </span>
        )}
        {canSend && !deletedAt && !of.endpoint_disabled && <SendAgain send={sendAgain} />}
      </div>
      {deliveries.length > 0 && (
        <details>
          <summary>{t('Single deliveries')}</summary>
          <Rows
            of={deliveries}
            columns={deliveryColumns()}
            caption={t('Deliveries to {address}', { address })}
          />
        </details>
      )}
    </>
  );
};

/** Why the last attempt failed: the status or the reason, and the receiver's response. */
export const Failure = ({ of: { status_code, error, response_body } }: { of: Attempt }) => (
  <span className="failure">
    {status_code ?? error?.replaceAll('_', ' ')}
    {response_body && (
      <>
        {' '}
        <q>
          <Text of={firstLine(response_body)} />
        </q>
      </>
    )}
  </span>
);

/** Sends again what the endpoint has not received. A repetition sends nothing twice. */
const SendAgain = ({ send }: { send: () => Promise<string> }) => {
  const [result, setResult] = useState('');
  const { error, isBusy, run } = useCommand(() => {});
  return (
    <>
      <QuietButton disabled={isBusy} onClick={() => run(async () => setResult(await send()))}>
        {t('Send again')}
      </QuietButton>
      {result !== '' && <span role="status">{result}</span>}
      {error !== undefined && <Problem error={error} />}
    </>
  );
};

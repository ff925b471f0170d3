import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { useCall } from '../../calls/use-call.ts';
import { useCommandIds } from '../../calls/use-command-ids.ts';
import { LastAttempt } from '../../parts/attempts.tsx';
import { fails, useDeliveries } from '../../parts/endpoint/deliveries.tsx';
import { EndpointForm } from '../../parts/endpoint/form.tsx';
import { handshakeKey } from '../../parts/endpoint/handshake.tsx';
import { EndpointTable } from '../../parts/endpoint/list.tsx';
import { useMetrics } from '../../parts/endpoint/metrics.tsx';
import { Problem } from '../../parts/problem.tsx';
import { QuietButton } from '../../parts/quiet-button.tsx';
import type { Schemas } from '../../parts/schemas.ts';
import { SecretWindow } from '../../parts/secret-window.tsx';
import type { Column } from '../../parts/table.tsx';
import { useCommand } from '../../parts/use-command.ts';
import { t } from '../../parts/words.ts';
import { command, read } from '../api.ts';
import { livePortal, usePermitted } from '../session.ts';
import { source } from './endpoint.tsx';

/** The webhook endpoints of the organization, with their health. */
export const EndpointsPage = () => {
  const { changesEndpoints, endpointId } = usePermitted();
  return (
    <>
      <div className="bar">
        <h1>{t('Endpoints')}</h1>
        {changesEndpoints && endpointId === undefined && <AddEndpoint />}
      </div>
      <EndpointTable
        query={useCall(
          ['endpoints'],
          () => read<Schemas['WebhookEndpoint'][]>('/webhooks'),
          livePortal,
        )}
        more={[
          ['Last error', (of) => <LastError of={of} />],
          ['The last 7 days', ({ id }) => <Week id={id} />, 'named'],
          ...(changesEndpoints
            ? [['Actions', ({ id }) => <TestButton id={id} />] satisfies Column<Endpoint>]
            : []),
        ]}
        empty={t('There is no webhook endpoint.')}
      />
    </>
  );
};

type Endpoint = Schemas['WebhookEndpoint'];

/** How the last failed attempt ended, while attempts fail. */
const LastError = ({ of: { id, consecutive_failures: count } }: { of: Endpoint }) => {
  const sent = useDeliveries(source, id, { enabled: count > 0 }).data?.data ?? [];
  const failed = count > 0 && sent.find(fails);
  return failed && <LastAttempt of={failed.attempts.slice(-1)} />;
};

/** How many deliveries of 7 days have arrived. */
const Week = ({ id }: { id: string }) => {
  const days = useMetrics(source, id).data?.days ?? [];
  const delivered = days.reduce((sum, of) => sum + of.delivered, 0);
  const events = days.reduce((sum, of) => sum + of.delivered + of.failed + of.pending, 0);
  if (events === 0) return '–';
  return (
    <>
      {Math.floor((100 * delivered) / events)} %{' '}
      <span className="faint">{t('{delivered} of {events} events', { delivered, events })}</span>
    </>
  );
};

/** Sends a test, and says in its place how the endpoint answered. */
const TestButton = ({ id }: { id: string }) => {
  const [result, setResult] = useState('');
  const { error, isBusy, run } = useCommand(() => {});
  const test = async () => {
    const of = await source.test(id, '');
    const answer = `${of.status_code ?? of.error}`;
    setResult(t(of.delivered ? 'Delivered: {answer}.' : 'Not delivered: {answer}.', { answer }));
  };
  return (
    <>
      <QuietButton disabled={isBusy} onClick={() => run(test)}>
        {t('Test')}
      </QuietButton>
      <span role="status">{result}</span>
      {error !== undefined && <Problem error={error} />}
    </>
  );
};

type Created = Schemas['WebhookEndpointCreated'];

/** Creates an endpoint, shows its secret once, and then its page with the result of the handshake. */
const AddEndpoint = () => {
  const queries = useQueryClient();
  const withCommandId = useCommandIds();
  const [, navigate] = useLocation();
  const [isOpen, setOpen] = useState(false);
  const [created, setCreated] = useState<Created>();
  const show = ({ id, handshake }: Created) => {
    queries.setQueryData(handshakeKey(id), handshake);
    navigate(`/endpoints/${id}`);
  };
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        {t('Add an endpoint')}
      </button>
      {isOpen && (
        <EndpointForm
          title={t('Add an endpoint')}
          verb="Add"
          onClose={() => setOpen(false)}
          submit={async (fields) =>
            setCreated(
              await withCommandId('create', (key) =>
                command<Created>('POST', '/webhooks', fields, key),
              ),
            )
          }
        />
      )}
      {created && (
        <SecretWindow
          title={t('The signing secret')}
          text={t(
            'Give it to your receiver, which verifies each request with it. Nobody can show it again.',
          )}
          secret={created.secret}
          onClose={() => show(created)}
        />
      )}
    </>
  );
};

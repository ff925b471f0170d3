import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { useCall } from '../../calls/use-call.ts';
import { useCommandIds } from '../../calls/use-command-ids.ts';
import { EndpointForm } from '../../parts/endpoint/form.tsx';
import { handshakeKey } from '../../parts/endpoint/handshake.tsx';
import { EndpointTable } from '../../parts/endpoint/list.tsx';
import type { Schemas } from '../../parts/schemas.ts';
import { SecretWindow } from '../../parts/secret-window.tsx';
import { t } from '../../parts/words.ts';
import { command, read } from '../api.ts';
import { livePortal, usePermitted } from '../session.ts';

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
        empty={t('There is no webhook endpoint.')}
      />
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

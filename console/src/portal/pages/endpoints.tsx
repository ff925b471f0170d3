import { useCall } from '../../calls/use-call.ts';
import { EndpointTable } from '../../parts/endpoint/list.tsx';
import type { Schemas } from '../../parts/schemas.ts';
import { read } from '../api.ts';
import { livePortal } from '../session.ts';

/** The webhook endpoints of the organization, with their health. */
export const EndpointsPage = () => (
  <>
    <div className="bar">
      <h1>Endpoints</h1>
    </div>
    <EndpointTable
      query={useCall(
        ['endpoints'],
        () => read<Schemas['WebhookEndpoint'][]>('/webhooks'),
        livePortal,
      )}
      empty={
        <>
          There is no webhook endpoint. <code>POST /webhooks</code> creates one.
        </>
      }
    />
  </>
);

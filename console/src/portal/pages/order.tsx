import { titled } from '../../parts/environment.ts';
import { OrderPage as Page } from '../../parts/order/page.tsx';
import { beforeEvents, type OrderSource } from '../../parts/order/source.ts';
import type { Schemas } from '../../parts/schemas.ts';
import { rich, t } from '../../parts/words.ts';
import { command, read, readFile } from '../api.ts';
import { paced } from '../pace.ts';
import { usePermitted } from '../session.ts';
import { OrderCommands } from './order/commands.tsx';

const source: OrderSource<Schemas['Order'], Schemas['CustodyEntry'][]> = {
  get brand() {
    return titled('Portal');
  },
  everyMs: { order: paced(5000), chain: paced(2000), deliveries: paced(15_000) },
  order: (id) => read(`/orders/${id}`),
  shown: (order) => ({ order, own: order }),
  chain: (id) => read(`/orders/${id}/events`),
  entriesOf: (entries) => entries,
  file: (id, sha256) => readFile(`/orders/${id}/artifacts/${sha256}`),
  deliveries: ({ order: { id } }) => read(`/orders/${id}/deliveries`),
  sendAgain: ({ order }, endpointId) =>
    command('POST', `/webhooks/${endpointId}/recover`, {
      ...{ order_id: order.id, since: beforeEvents(order), include_pending: true },
    }),
};

/** One order, with what a partner does about it. */
export const OrderPage = ({ id }: { id: string }) => {
  const { readsEndpoints, changesEndpoints } = usePermitted();
  return (
    <Page
      id={id}
      source={source}
      own={({ order }) => ({
        commands: <OrderCommands order={order} />,
        downloads: <Downloads orderId={id} />,
        hasDeliveries: readsEndpoints,
        sendsAgain: changesEndpoints,
      })}
    />
  );
};

const Downloads = ({ orderId }: { orderId: string }) => {
  const custody = `/api/orders/${orderId}/custody`;
  return (
    <span className="downloads">
      <a href={`${custody}/proof`} download={`custody-proof-${orderId}.json`}>
        {t('Download the proof')}
      </a>{' '}
      <a href={`${custody}/certificate`} download={`custody-certificate-${orderId}.html`}>
        {t('Download the certificate')}
      </a>{' '}
      <span className="faint">
        {rich('Anyone can check the proof with {tool}, without an account.', {
          tool: <code>custody-verify</code>,
        })}
      </span>
    </span>
  );
};

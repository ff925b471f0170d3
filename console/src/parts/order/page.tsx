import type { ReactNode } from 'react';
import { useCall } from '../../calls/use-call.ts';
import { Badge } from '../badge.tsx';
import { CustodyNow } from '../custody-now.tsx';
import { OpenIncidents, ResolvedIncidents } from '../incidents.tsx';
import { OrderMap } from '../map.tsx';
import { OrderDeliveries, Told } from '../order-deliveries.tsx';
import { OrderFacts } from '../order-facts.tsx';
import { NotReadAgain, Pending } from '../pending.tsx';
import { shortId } from '../short-id.ts';
import { Text } from '../text.tsx';
import { Time } from '../time.tsx';
import { visibleText } from '../visible-text.ts';
import { t } from '../words.ts';
import { Chain } from './chain.tsx';
import { changedAt, type OrderSource, type ShownOrder } from './source.ts';
import { useChain } from './use-chain.ts';

/** What one audience alone has on the page of an order. */
interface OwnParts {
  readonly alert?: ReactNode;
  readonly onResolve?: Parameters<typeof OpenIncidents>[0]['onResolve'];
  readonly call?: Parameters<typeof CustodyNow>[0]['call'];
  readonly commands: ReactNode;
  readonly facts?: ReactNode;
  readonly downloads: ReactNode;
  readonly hasDeliveries: boolean;
  readonly sendsAgain: boolean;
}

interface Page<Own, Raw> {
  readonly source: OrderSource<Own, Raw>;
  readonly own: (shown: ShownOrder<Own>) => OwnParts;
}

/** One order: who holds it, its custody chain, its deliveries, and what can be done next. */
export const OrderPage = <Own, Raw>({ id, ...page }: Page<Own, Raw> & { id: string }) => {
  const { source } = page;
  const options = { live: true, everyMs: source.everyMs?.order };
  const query = useCall(['order', id], () => source.order(id), options);
  if (!query.data) return <Pending of="Order" query={query} />;
  return (
    <>
      <NotReadAgain query={query} />
      <Shown {...page} shown={source.shown(query.data)} />
    </>
  );
};

const Shown = <Own, Raw>({ source, own, shown }: Page<Own, Raw> & { shown: ShownOrder<Own> }) => {
  const { order } = shown;
  const chain = useChain(source, shown);
  const name = order.external_id ?? shortId(order.id);
  const { alert, onResolve, call, commands, facts, downloads, ...may } = own(shown);
  return (
    <>
      <title>{`${visibleText(name)} – ${source.brand}`}</title>
      <div className="bar">
        <h1>
          <Text of={name} />
        </h1>
        <Badge of={order.status} />
        <ResolvedIncidents of={chain.entries} open={order.open_incidents} />
        <span className="faint">
          {t('changed')} <Time at={changedAt(order)} />
        </span>
      </div>
      {alert}
      <OpenIncidents of={chain.entries} open={order.open_incidents} onResolve={onResolve} />
      <CustodyNow order={order} entries={chain.verified} call={call} />
      {commands}
      {may.hasDeliveries && <Told source={source} shown={shown} />}
      <div className="beside">
        <OrderFacts order={order}>{facts}</OrderFacts>
        <OrderMap order={order} />
      </div>
      <Chain order={order} chain={chain} readFile={(sha256) => source.file(order.id, sha256)}>
        {downloads}
      </Chain>
      {may.hasDeliveries && (
        <OrderDeliveries source={source} shown={shown} sendsAgain={may.sendsAgain} />
      )}
    </>
  );
};

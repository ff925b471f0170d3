import { Link } from 'wouter';
import { unshownMs, useBoard } from '../../board/use-board.ts';
import { clients } from '../../calls/clients.ts';
import { useCall } from '../../calls/use-call.ts';
import { useRecords } from '../../parts/carriers.ts';
import { useOrganizations } from '../../parts/organizations.ts';
import { shortId } from '../../parts/short-id.ts';
import { Text } from '../../parts/text.tsx';
import { usePeople } from '../operators/people.tsx';
import { useTokens } from '../operators/tokens.tsx';

const pages: Readonly<Record<string, string>> = {
  order: '/orders/',
  organization: '/organizations/',
  endpoint: '/endpoints/',
  driver: '/drivers/',
};

export const isId = (text: string): boolean => /^[\da-f]{8}-[\da-f-]{27}$/.test(text);

/** Orders of which the newest are named, beside those that are open. */
const pageSize = 100;

/**
 * Returns the names that the console knows: by the ids of operators, organizations, orders, carriers
 * and drivers. @param target an order that is searched, too.
 */
export const useNames = (target: string): ReadonlyMap<string, string> => {
  const text = isId(target) ? target : '';
  const found = useCall(['named orders', text], () =>
    clients.orders.searchOrders({ text, pageSize, refresh: true }),
  );
  const open = useBoard({ everyMs: unshownMs });
  const records = useRecords();
  const named = [
    ...[useOrganizations().data, records.data?.carriers, records.data?.drivers],
    ...[usePeople().data, useTokens().data],
  ].flatMap((all) => all?.map(({ id, name }) => [id, name] as const) ?? []);
  const orders = [...(found.data?.orders ?? []), ...(open.data?.orders ?? [])];
  return new Map([
    ...named,
    ...orders.flatMap(({ id, externalId }) => (externalId ? [[id, externalId] as const] : [])),
  ]);
};

/** What an action is about: its name, if it has one, with its page, or else the log of its actions. */
export const Named = ({
  kind,
  id,
  names,
}: {
  kind: string;
  id: string;
  names: ReadonlyMap<string, string>;
}) => {
  if (!isId(id)) return <Text of={id} />;
  const page = pages[kind] ? `${pages[kind]}${id}` : `/audit?target=${id}`;
  const name = names.get(id);
  return (
    <Link href={kind === 'carrier' ? '/carriers' : page} title={id}>
      {name ? <Text of={name} /> : <code>{shortId(id)}</code>}
    </Link>
  );
};

import { operatorRoles } from '@pto/proto/callers';
import type { OpenOrder } from '@pto/proto/orders/v1/commands';
import { slas } from '@pto/proto/vocabulary';
import { useMemo, useState } from 'react';
import { AddressSelect, wordsOf } from '../../parts/address-select.tsx';
import { useMay } from '../../parts/me.ts';
import { useOrganizationName } from '../../parts/organizations.ts';
import { QuietButton } from '../../parts/quiet-button.tsx';
import { useAddress } from '../../parts/use-address.ts';
import type { useAttentionSwitch } from './use-attention.ts';

/** The value of an order for each parameter of the address. */
const values = {
  of: ({ organizationId }: OpenOrder) => organizationId,
  town: ({ pickup }: OpenOrder) => pickup?.city,
  sla: ({ sla }: OpenOrder) => sla,
  driver: ({ driver, driverId }: OpenOrder) => driverId ?? driver,
} as const;
type Name = keyof typeof values;
const names = Object.keys(values) as Name[];

/** Returns the orders that the filters of the address select. */
export const useFiltered = (all: readonly OpenOrder[]): readonly OpenOrder[] => {
  const address = useAddress();
  const chosen = names.map((name) => address.get(name)).join('\n');
  const text = address.get('q').trim().toLowerCase();
  return useMemo(() => {
    const wanted = chosen.split('\n');
    return all.filter(
      (order) =>
        names.every((name, n) => wanted[n] === '' || values[name](order) === wanted[n]) &&
        [order.externalId, order.id, order.pickup?.city, order.dropoff?.city].some((one) =>
          one?.toLowerCase().includes(text),
        ),
    );
  }, [all, chosen, text]);
};

/** The search, the filters, which stay in the address and are behind a button on narrow screens, and the switch of sounds and notifications. */
export const Filters = ({
  all,
  attention: { isOn, toggle },
  onEnter,
}: {
  all: readonly OpenOrder[];
  onEnter: () => void;
  attention: ReturnType<typeof useAttentionSwitch>;
}) => {
  const address = useAddress();
  const [isShown, setShown] = useState(false);
  const chosen = names.filter((name) => address.get(name) !== '').length;
  const may = useMay();
  const organizationName = useOrganizationName();
  /** A record is named with its carrier: another one may have a driver of this name. */
  const driverName = (value: string) => {
    const order = all.find(({ driverId }) => driverId === value);
    return order ? `${order.driver}, ${order.transportOrganization}` : value;
  };
  const options = (name: Name, words: string, named = (value: string) => value) => {
    const found = new Set(all.map(values[name]).filter((one) => one !== undefined));
    return [
      ['', words] as const,
      ...[...found]
        .map((one) => [one, named(one)] as const)
        .toSorted(([, a], [, b]) => a.localeCompare(b)),
    ];
  };
  return (
    <>
      <input
        id="search"
        type="search"
        aria-label="Search open orders"
        placeholder="Reference, id or city"
        value={address.get('q')}
        maxLength={255}
        onChange={({ target: { value } }) => address.set({ q: value }, { isTyped: true })}
        onKeyDown={({ key }) => key === 'Enter' && onEnter()}
      />
      <QuietButton className="narrow" aria-expanded={isShown} onClick={() => setShown(!isShown)}>
        Filter{chosen > 0 && ` (${chosen})`}
      </QuietButton>
      <div className={isShown ? 'filters open' : 'filters'}>
        {may(...operatorRoles) && (
          <AddressSelect
            name="of"
            label="Organization"
            options={options('of', 'All organizations', organizationName)}
          />
        )}
        <AddressSelect name="town" label="Pick-up in" options={options('town', 'All towns')} />
        <AddressSelect name="sla" label="Priority" options={wordsOf('priorities', slas)} />
        <AddressSelect
          name="driver"
          label="Driver"
          options={options('driver', 'All drivers', driverName)}
        />
      </div>
      <QuietButton aria-pressed={isOn} onClick={() => void toggle()}>
        {isOn ? 'Notifies' : 'Notify me'}
      </QuietButton>
    </>
  );
};

import type { OpenOrder } from '@pto/proto/orders/v1/commands';

/** A carrier or a driver as an order has it: a record with its name, or a name alone. */
export interface Named {
  readonly name: string;
  /** Of the record; absent or empty: a name alone. */
  readonly id?: string | undefined;
}

export const carrierOf = (
  order: Pick<OpenOrder, 'transportOrganization' | 'carrierId'>,
): Named | undefined =>
  order.transportOrganization === undefined
    ? undefined
    : { name: order.transportOrganization, id: order.carrierId };
export const driverOf = (order: Pick<OpenOrder, 'driver' | 'driverId'>): Named | undefined =>
  order.driver === undefined ? undefined : { name: order.driver, id: order.driverId };

const inAnyCase = (name: string): string => name.trim().toLowerCase();

/** Returns which of them a text names; undefined: none. */
export const namedBy = <Row extends Named>(text: string, all: readonly Row[]): Row | undefined =>
  all.find(({ name }) => inAnyCase(name) === inAnyCase(text));

/**
 * Returns whom to offer for an order, the likeliest first: those that carry something from or to one
 * of its towns, then those that carry the least.
 * @param records those that can be assigned. Offered are they, and the names of open orders.
 * @param of returns the carrier or the driver of an order.
 */
export const suggest = (
  all: readonly OpenOrder[],
  towns: readonly (string | undefined)[],
  records: readonly Named[],
  of: (order: OpenOrder) => Named | undefined,
): Named[] => {
  const ids = new Map(records.map(({ name, id }) => [inAnyCase(name), id]));
  const found = new Map(records.map((who) => [who.id!, { who, near: 0, carried: 0 }]));
  for (const order of all) {
    const who = of(order);
    if (!who) continue;
    const id = who.id || ids.get(inAnyCase(who.name));
    const before = found.get(id ?? who.name);
    // its record cannot be assigned
    if (id !== undefined && !before) continue;
    const isNear = [order.pickup?.city, order.dropoff?.city].some(
      (city) => city !== undefined && towns.includes(city),
    );
    found.set(id ?? who.name, {
      who: before?.who ?? who,
      near: (before?.near ?? 0) + (isNear ? 1 : 0),
      carried: (before?.carried ?? 0) + 1,
    });
  }
  return [...found.values()]
    .toSorted(
      (one, other) => Math.sign(other.near) - Math.sign(one.near) || one.carried - other.carried,
    )
    .map(({ who }) => who);
};

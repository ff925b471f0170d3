import type { OpenOrder } from '@pto/proto/orders/v1/commands';

/**
 * Returns the carriers or drivers of the open orders for a field, the likeliest first: those that carry
 * something from or to the same town, then those that carry the least.
 */
export const suggest = (
  all: readonly OpenOrder[],
  { pickup, dropoff }: OpenOrder,
  field: 'transportOrganization' | 'driver',
): string[] => {
  const here: readonly unknown[] = [pickup?.city, dropoff?.city];
  const isHere = (city: string | undefined) => city !== undefined && here.includes(city);
  const found = new Map<string, { near: number; carried: number }>();
  for (const order of all) {
    const name = order[field];
    if (name === undefined) continue;
    const { near, carried } = found.get(name) ?? { near: 0, carried: 0 };
    const isNear = isHere(order.pickup?.city) || isHere(order.dropoff?.city);
    found.set(name, { near: near + (isNear ? 1 : 0), carried: carried + 1 });
  }
  return [...found]
    .toSorted(
      ([, one], [, other]) =>
        Math.sign(other.near) - Math.sign(one.near) || one.carried - other.carried,
    )
    .map(([name]) => name);
};

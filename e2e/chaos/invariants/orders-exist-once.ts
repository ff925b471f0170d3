import type { Invariant } from './violation.ts';

/** Every acknowledged order exists once, by its id, its Idempotency-Key and its external_id. */
export const ordersExistOnce: Invariant = ({ slots, orders }) => {
  const ids = orders.map(({ id }) => id);
  const twice = ids.filter((id, n) => ids.indexOf(id) !== n);
  const known = new Set(slots.map(({ name }) => name));
  return [
    ...twice.map((id) => `the list shows order ${id} twice`),
    ...orders
      .filter(({ externalId }) => externalId === null || !known.has(externalId))
      .map(({ id, externalId }) => `order ${id} (${externalId}) was never requested`),
    ...slots.flatMap(({ name, ids, responses }) => {
      const named = orders.filter(({ externalId }) => externalId === name).map(({ id }) => id);
      const acknowledged = [...new Set(ids)];
      return [
        ...(acknowledged.length > 1 ? [`${name} was acknowledged as ${acknowledged}`] : []),
        ...(named.length > 1 ? [`external_id ${name} names ${named}`] : []),
        ...acknowledged
          .filter((id) => !named.includes(id))
          .map((id) => `${name} was acknowledged as ${id} and is not listed`),
        ...(new Set(responses).size > 1 ? [`responses to one key of ${name} differ`] : []),
      ];
    }),
  ];
};

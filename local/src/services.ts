/** In the order in which they are listed; all start at once. */
export const serviceNames = ['orders', 'custody', 'webhooks', 'gateway'] as const;

export type ServiceName = (typeof serviceNames)[number];

/** Each service's own database. */
export const databaseOf: Readonly<Record<ServiceName, string>> = {
  orders: 'orders',
  custody: 'custody',
  webhooks: 'webhooks',
  gateway: 'access',
};

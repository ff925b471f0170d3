/** All services, in the order in which lists name them. All services start at the same time. */
export const serviceNames = ['orders', 'custody', 'webhooks', 'gateway', 'operators'] as const;

export type ServiceName = (typeof serviceNames)[number];

/** Name of each service's database. The gateway reads the database of the operators service. */
export const databaseOf: Readonly<Record<ServiceName, string>> = {
  orders: 'orders',
  custody: 'custody',
  webhooks: 'webhooks',
  gateway: 'access',
  operators: 'access',
};

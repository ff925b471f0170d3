/** In the order in which they are listed; all start at once. */
export const serviceNames = ['orders', 'custody', 'webhooks', 'gateway'] as const;

export type ServiceName = (typeof serviceNames)[number];

/** All processes: the services, and one each of custody's auditor and the operator gateway. */
export type ProcessName = ServiceName | 'auditor' | 'operator-gateway';

/** Each service's own database. */
export const databaseOf: Readonly<Record<ServiceName, string>> = {
  orders: 'orders',
  custody: 'custody',
  webhooks: 'webhooks',
  gateway: 'access',
};

import { lockName, type Transaction } from '@pto/database';

/**
 * Locks the list of an organization's endpoints until the transaction ends: no other transaction
 * adds an endpoint, or holds the organization for a move.
 */
export const lockEndpointsOf = (tx: Transaction, organizationId: string): Promise<void> =>
  lockName(tx, `endpoints of ${organizationId}`);

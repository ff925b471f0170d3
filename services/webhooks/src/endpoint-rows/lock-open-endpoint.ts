import type { Transaction } from '@pto/database';
import { Failure } from '@pto/errors';
import type { Endpoint } from '../schema/endpoint.ts';
import { holdEndpoint, type Which } from './find-endpoint.ts';

const disabled =
  'The endpoint is disabled: nothing is queued for it. Enable it, then repeat the request.';

/**
 * Returns an endpoint for which a delivery can be queued, locked by `holdEndpoint`.
 * @throws Failure NOT_FOUND; ILLEGAL_TRANSITION if the endpoint is disabled (decision 34).
 */
export const lockOpenEndpoint = async (tx: Transaction, which: Which): Promise<Endpoint> => {
  const endpoint = await holdEndpoint(tx, which);
  if (endpoint.disabled)
    throw new Failure('ILLEGAL_TRANSITION', disabled, {
      details: { endpoint_id: endpoint.id, disabled: true },
    });
  return endpoint;
};

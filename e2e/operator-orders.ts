/** The operator's order commands against the local stack, called without starting the program. */
import { OrderCommandService } from '@pto/proto/orders/v1/commands';
import { operatorClient } from '@pto/rpc';
import type { Mesh } from './mesh.ts';

export const operatorOrders = (mesh: Mesh) => {
  const { OPERATOR_URL, OPERATOR_CA_FILE, OPERATOR_TOKEN } = mesh.file().operator.env;
  return operatorClient(OrderCommandService, {
    url: `${OPERATOR_URL}/orders`,
    caFile: OPERATOR_CA_FILE ?? '',
    credential: async () => OPERATOR_TOKEN,
  });
};

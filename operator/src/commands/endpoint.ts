import { type Endpoint, EndpointSchema } from '@pto/proto/webhooks/v1/webhooks';
import { Command } from 'commander';
import type { OpenClients } from '../clients.ts';
import { members, orNull, print } from '../output.ts';

const shape = (endpoint: Endpoint | undefined) => {
  const { health: _, ...rest } = members(EndpointSchema, endpoint!);
  return {
    ...rest,
    event_filter: endpoint!.eventFilter?.events ?? null,
    failure_ratio: endpoint!.health?.failureRatio ?? 0,
    breaks_at: orNull(endpoint!.health?.breaksAt ?? ''),
  };
};

export const endpointCommands = (open: OpenClients): Command => {
  const endpoint = new Command('endpoint').description("partners' webhook endpoints");
  endpoint
    .command('list')
    .description("an organization's endpoints with their health")
    .requiredOption('--org <id>', 'whose they are')
    .action(async ({ org }, command) => {
      const request = { organizationId: org };
      const { endpoints } = await open().deliveries.listOrganizationEndpoints(request);
      await print(command, endpoints.map(shape));
    });
  endpoint
    .command('show <id>')
    .description('one endpoint with its health')
    .action(async (id, _, command) => {
      await print(command, shape((await open().deliveries.showEndpoint({ id })).endpoint));
    });
  endpoint
    .command('reseal')
    .description('seal all signing secrets again with the first of WEBHOOKS_SECRET_KEYS')
    .action(async (_, command) => print(command, await resealAll(open)));
  return endpoint;
};

/**
 * Reseals webhook secrets in batches, until every secret is sealed with the current key or a batch
 * reseals no secret.
 */
const resealAll = async (open: OpenClients) => {
  const { deliveries } = open();
  for (let sum = 0; ; ) {
    const { resealed, remaining } = await deliveries.resealSecrets({});
    sum += resealed;
    if (remaining === 0 || resealed === 0) return { resealed: sum, remaining };
  }
};

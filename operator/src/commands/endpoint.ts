import {
  type Endpoint,
  EndpointSchema,
  HandshakeSchema,
  SendTestResponseSchema,
} from '@pto/proto/webhooks/v1/webhooks';
import { note, progress } from '@pto/terminal';
import { Command } from 'commander';
import { instantOrAgo, seconds } from '../arguments.ts';
import type { Clients, OpenClients } from '../clients.ts';
import { confirm, irreversible } from '../confirm.ts';
import { members, NotValid, orNull, print, printSecret } from '../output.ts';

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
    .command('breaking')
    .description('endpoints of all organizations that become BROKEN unless an attempt succeeds')
    .action(async (_, command) => {
      const { endpoints, hasMore } = await open().deliveries.listBreakingEndpoints({});
      await print(command, endpoints.map(shape));
      if (hasMore) note('There are more; these have the most failures.');
    });
  endpoint
    .command('show <id>')
    .description('one endpoint with its health')
    .action(async (id, _, command) => {
      await print(command, shape((await open().deliveries.showEndpoint({ id })).endpoint));
    });
  endpoint
    .command('test <id>')
    .description('send a signed order.test to it; exit 1 if it is not accepted')
    .action(async (id, _, command) => {
      const sent = await open().deliveries.sendTest({ id });
      await print(command, { id, ...members(SendTestResponseSchema, sent) });
      if (!sent.delivered) throw new NotValid();
    });
  endpoint
    .command('verify <id>')
    .description('repeat the handshake; exit 1 if it fails')
    .action(async (id, _, command) => {
      const { verified, ...done } = await open().deliveries.repeatHandshake({ id });
      const { reason, status_code } = members(HandshakeSchema, done.handshake!);
      await print(command, { id, status: done.endpoint?.status, verified, reason, status_code });
      if (!verified) throw new NotValid();
    });
  irreversible(endpoint.command('disable <id>'))
    .description('deliver nothing to it and end its queued deliveries')
    .action(async (id, _, command) => {
      await confirm(command, `The queued deliveries of endpoint ${id} will end.`);
      await print(command, await setDisabled(open, id, true));
    });
  endpoint
    .command('enable <id>')
    .description('deliver to it again; `endpoint recover` sends what it has missed')
    .action(async (id, _, command) => print(command, await setDisabled(open, id, false)));
  endpoint
    .command('rotate <id>')
    .description('a new signing secret, shown once; the current one also signs for the overlap')
    .option('--overlap <duration>', '0s to 7d; 24h unless given', seconds)
    .action(async (id, { overlap }, command) => {
      const { secret, previousExpiresAt } = await open().deliveries.rotateEndpointSecret({
        id,
        ...(overlap !== undefined && { overlapSeconds: overlap }),
      });
      await printSecret(
        command,
        { id, secret, previous_expires_at: previousExpiresAt },
        { what: `new secret of endpoint ${id}`, next: 'Rotate it again.' },
      );
    });
  endpoint
    .command('recover <id>')
    .description('queue again what it subscribes to and has not received in a time span')
    .requiredOption('--since <time>', 'such as 2026-01-15T09:30:00Z, or 24h ago: 24h', instantOrAgo)
    .option('--until <time>', 'before; now, unless given', instantOrAgo)
    .option('--order <id>', 'only events of this order')
    .option('--include-pending', 'also attempt now what waits for a retry, under the same id')
    .action(
      async (id, { since, until = '', order: orderId = '', includePending = false }, command) => {
        await print(command, await recoverAll(open, { id, since, until, orderId, includePending }));
      },
    );
  endpoint
    .command('reseal')
    .description('seal all signing secrets again with the first of WEBHOOKS_SECRET_KEYS')
    .action(async (_, command) => print(command, await resealAll(open)));
  return endpoint;
};

const setDisabled = async (open: OpenClients, id: string, disabled: boolean) =>
  shape((await open().deliveries.setEndpointDisabled({ id, disabled })).endpoint);

/** Recovers a span in steps of 1000 events, oldest first. */
const recoverAll = async (
  open: OpenClients,
  span: Parameters<Clients['deliveries']['recoverDeliveries']>[0] & { since: string },
) => {
  let [queued, retried, reached] = [0, 0, ''];
  for (let next = span.since; next !== ''; ) {
    const page = await open().deliveries.recoverDeliveries({ ...span, since: next });
    queued += page.queued;
    retried += page.retried;
    [reached, next] = [page.until, page.nextSince];
    progress(`${queued} events queued, up to ${reached}`);
  }
  progress('');
  return { endpoint_id: span.id, queued, retried, until: reached };
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

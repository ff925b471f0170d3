import { type LoggedRequest, LoggedRequestSchema } from '@pto/proto/access/v1/access';
import { Command } from 'commander';
import { newestMax, pageMax, withLimit } from '../arguments.ts';
import { everyPage, type OpenClients } from '../clients.ts';
import { members, print } from '../output.ts';

const shape = (request: LoggedRequest) => ({
  ...members(LoggedRequestSchema, request),
  errors: request.errors.map(({ field, type }) => `${field}: ${type}`),
  left_out: request.leftOut || null,
});

const columns = [
  ...['at', 'method', 'path', 'status', 'code', 'errors', 'required_scope'],
  ...['duration_ms', 'request_id', 'left_out'],
];

export const requestCommands = (open: OpenClients): Command => {
  const request = new Command('request').description("partners' requests of the last 7 days");
  withLimit(request.command('list <organization>'), newestMax)
    .description('requests of an organization, newest first')
    .option('--status <status>', 'only with this status, such as 429, or a class such as 4xx')
    .option('--method <method>', 'only with this method, such as POST')
    .option('--request-id <id>', 'only with this X-Request-Id')
    .action(async (organizationId, { limit, ...filter }, command) => {
      const pageSize = limit === 0 ? pageMax : Math.min(pageMax, limit);
      const requests = await everyPage(
        (beforeId) => open().access.listRequests({ organizationId, ...filter, pageSize, beforeId }),
        (page) => page.requests,
        limit,
      );
      await print(command, requests.map(shape), columns);
    });
  return request;
};

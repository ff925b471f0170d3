import type { Action } from '@pto/proto/operators/v1/operators';
import { Command } from 'commander';
import { instantOrAgo, newestMax, pageMax, withLimit } from '../arguments.ts';
import { everyPage, type OpenClients } from '../clients.ts';
import { print } from '../output.ts';

const shape = (action: Action) => ({
  id: action.id,
  at: action.at,
  operator_id: action.operatorId,
  operator: action.operatorName,
  roles: action.roles,
  credential: action.credential,
  action: action.rpc,
  target: action.target || null,
  created_id: action.createdId || null,
  outcome: action.outcome,
  duration_ms: action.durationMs ?? null,
  request_id: action.requestId,
  client_address: action.clientAddress,
  request: action.request,
});

const columns = ['at', 'operator', 'action', 'target', 'outcome', 'client_address'];

export const auditCommands = (open: OpenClients): Command => {
  const audit = new Command('audit').description('the log of operator actions');
  withLimit(audit.command('list'), newestMax)
    .description('actions, newest first')
    .option('--operator <name>', "only of this operator's name or id")
    .option(
      '--since <time>',
      'not before, such as 2026-01-15T09:30:00Z, or 24h ago: 24h',
      instantOrAgo,
    )
    .option('--until <time>', 'before', instantOrAgo)
    .option('--action <rpc>', 'such as IssueKey')
    .option('--target <id>', 'only on this target, and the action that created it')
    .option('--changes-only', 'without calls that only read')
    .option('--outcome <outcome>', 'ok, denied, unknown, or a kind of failure')
    .action(async ({ limit, ...filter }, command) => {
      const pageSize = limit === 0 ? pageMax : Math.min(pageMax, limit);
      const actions = await everyPage(
        (beforeId) => open().audit.listActions({ ...filter, pageSize, beforeId }),
        (page) => page.actions,
        limit,
      );
      await print(command, actions.map(shape), columns);
    });
  return audit;
};

import { Failure } from '@pto/errors';
import { type DeadLetter, DeadLetterSchema } from '@pto/proto/bus/v1/dead_letter';
import { Command } from 'commander';
import { withLimit } from '../arguments.ts';
import { type Clients, everyPage, type OpenClients } from '../clients.ts';
import { confirm, irreversible } from '../confirm.ts';
import { members, orNull, print } from '../output.ts';

const shape = (service: string, letter: DeadLetter) => ({
  id: letter.id,
  service,
  ...members(DeadLetterSchema, letter),
});

export const dlqCommands = (open: OpenClients): Command => {
  const dlq = new Command('dlq').description('messages that a service could not handle');
  withLimit(dlq.command('list'))
    .description('parked messages with their reasons, oldest first')
    .option('--topic <topic>', 'only of this topic')
    .action(async ({ topic, limit }, command) => {
      const lists = await Promise.allSettled(
        Object.entries(open().deadLetters).map(async ([service, client]) => {
          const letters = await everyPage(
            (afterId) => client.listDeadLetters({ topic: topic ?? '', afterId }),
            (page) => page.deadLetters,
            limit,
          ).catch((error) => {
            throw away(service, error);
          });
          return letters.map((letter) => shape(service, letter));
        }),
      );
      const missing = lists.find((list) => list.status === 'rejected');
      const letters = lists.flatMap((list) => (list.status === 'fulfilled' ? list.value : []));
      // If a service is unavailable, print the dead letters of the other services, then throw: the
      // list is incomplete.
      const shown = limit === 0 ? letters : letters.slice(0, limit);
      if (!missing || letters.length > 0) await print(command, shown);
      if (missing) throw missing.reason;
    });
  dlq
    .command('replay <id>')
    .description('handle a parked message again, and those parked behind it, in order')
    .action(async (id, _, command) => {
      const response = await ofItsService(open().deadLetters, (client) =>
        client.replayDeadLetter({ id }),
      );
      await print(command, {
        replayed: response.replayedIds,
        failed: orNull(response.failedId),
        reason: orNull(response.reason),
      });
    });
  irreversible(dlq.command('discard <id>'))
    .description('end the wait of a parked message without its effect')
    .requiredOption('--reason <text>', 'why; stored with your name')
    .action(async (id, { reason }, command) => {
      await confirm(command, `Dead letter ${id} will be discarded without its effect.`);
      const response = await ofItsService(open().deadLetters, (client) =>
        client.discardDeadLetter({ id, reason }),
      );
      await print(command, { discarded: id, next: orNull(response.nextId) });
    });
  return dlq;
};

/** Adds the name of an unavailable service to its error, because its dead letters are missing. */
const away = (service: string, error: unknown): unknown =>
  error instanceof Failure && error.kind === 'SERVICE_UNAVAILABLE'
    ? new Failure(error.kind, `${service} is unavailable; its dead letters are unknown.`, {
        cause: error,
      })
    : error;

type Client = Clients['deadLetters'][keyof Clients['deadLetters']];

/**
 * Calls one service after the other until one has the dead letter.
 * @throws Failure SERVICE_UNAVAILABLE if no service has it and an unavailable service may have it;
 *   NOT_FOUND if all services responded and none has it.
 */
const ofItsService = async <T>(
  clients: Clients['deadLetters'],
  work: (client: Client) => Promise<T>,
): Promise<T> => {
  let missing: unknown;
  for (const [service, client] of Object.entries(clients)) {
    try {
      return await work(client);
    } catch (error) {
      if (error instanceof Failure && error.kind === 'NOT_FOUND') continue;
      if (!(error instanceof Failure && error.kind === 'SERVICE_UNAVAILABLE')) throw error;
      missing ??= away(service, error);
    }
  }
  if (missing) throw missing;
  throw new Failure('NOT_FOUND', 'No service has a dead letter with this id.', {
    details: { resource: 'dead letter' },
  });
};

import { Failure } from '@pto/errors';
import type { DeadLetter } from '@pto/proto/bus/v1/dead_letter';
import { Command } from 'commander';
import type { Clients, OpenClients } from '../clients.ts';
import { everyPage } from '../every-page.ts';
import { orNull, print } from '../output.ts';

const shape = (service: string, letter: DeadLetter) => ({
  id: letter.id,
  service,
  topic: letter.topic,
  partition: letter.partition,
  offset: letter.offset,
  key: letter.key,
  event_id: letter.eventId,
  event_type: letter.eventType,
  reason: letter.reason,
  parked_at: letter.parkedAt,
});

export const dlqCommands = (open: OpenClients): Command => {
  const dlq = new Command('dlq').description('messages that a service could not handle');
  dlq
    .command('list')
    .description('parked messages with their reasons, oldest first')
    .option('--topic <topic>', 'only of this topic')
    .action(async ({ topic }, command) => {
      const services = Object.entries(open().deadLetters);
      const lists = services.map(async ([service, client]) =>
        (await everyLetter(client, topic ?? '')).map((letter) => shape(service, letter)),
      );
      print(command, (await Promise.all(lists)).flat());
    });
  dlq
    .command('replay <id>')
    .description('handle a parked message again, and those parked behind it, in order')
    .action(async (id, _, command) => {
      const answer = await replay(Object.values(open().deadLetters), id);
      print(command, {
        replayed: answer.replayedIds,
        failed: orNull(answer.failedId),
        reason: orNull(answer.reason),
      });
    });
  return dlq;
};

type Client = Clients['deadLetters'][keyof Clients['deadLetters']];

const everyLetter = (client: Client, topic: string): Promise<DeadLetter[]> =>
  everyPage(async (afterId) => {
    const page = await client.listDeadLetters({ topic, afterId });
    return { items: page.deadLetters, next: page.nextId };
  });

/** Asks one service after the other whose letter it is. */
const replay = async (clients: readonly Client[], id: string) => {
  for (const client of clients) {
    try {
      return await client.replayDeadLetter({ id });
    } catch (error) {
      if (!(error instanceof Failure && error.kind === 'NOT_FOUND')) throw error;
    }
  }
  throw new Failure('NOT_FOUND', 'No service has parked such a message.', {
    details: { resource: 'dead letter' },
  });
};

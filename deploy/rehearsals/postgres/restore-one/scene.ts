/** What the parts of this rehearsal share: four servers, the local stack on them, and its users. */

import type { DatabaseName } from '../../../../e2e/as-superuser.ts';
import type { LocalStack } from '../../../../e2e/local-stack.ts';
import type { Receiver } from '../../../../e2e/receiver.ts';
import { openStack, operatorOf } from '../../stage/local-stack.ts';
import { closedIn, type Partners, underLoad } from '../../stage/partners.ts';
import type { Stage } from '../../stage/rehearsal.ts';
import { openServer, type Server } from '../server.ts';

const names = ['access', 'orders', 'custody', 'webhooks'] as const;

export interface Scene {
  readonly stage: Stage;
  readonly stack: LocalStack;
  readonly servers: Readonly<Record<DatabaseName, Server>>;
  readonly receiver: Receiver;
  readonly partners: Partners;
  readonly operator: ReturnType<typeof operatorOf>;
  /** Waits until so many more orders have come to their end. */
  moreClosed(count: number): Promise<void>;
}

/**
 * Starts a server for each database, the services, partners at work, and a base backup of each.
 * @param env further settings of the services.
 */
export const openScene = async (stage: Stage, env: NodeJS.ProcessEnv = {}): Promise<Scene> => {
  const opened = await stage.step('four servers with continuous archiving', () =>
    Promise.all(names.map((name) => openServer(stage, name))),
  );
  const servers = Object.fromEntries(opened.map((one) => [one.name, one])) as Scene['servers'];
  const urls = opened.map(({ name, url }) => [`DATABASE_URL_${name.toUpperCase()}`, url]);
  const stack = await stage.step('the services, each database on its own server', () =>
    openStack(stage, {
      env: { ...env, ...Object.fromEntries(urls), DATABASE_URL: servers.access.url },
    }),
  );
  const { receiver, partners } = await underLoad(stage, stack);
  const moreClosed = (count: number) => closedIn(partners, count);
  await stage.step('a base backup of each, while partners place orders', async () => {
    for (const server of opened) await server.backup();
    await moreClosed(5);
  });
  return {
    ...{ stage, stack, servers, receiver, partners, moreClosed },
    operator: operatorOf(stage, stack),
  };
};

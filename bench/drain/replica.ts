/** One that drains in a process of its own, as a replica does: it begins and ends on a message. */
import type { Side } from '../measuring/ratio.ts';
import { settingsOf, startProgram } from './program.ts';

/** What both sides deliver in a round, and where to. */
export interface Workload {
  readonly backlog: number;
  readonly payload: Buffer;
  readonly receiverUrl: string;
  readonly caFile: string;
}

export type DrainSide = Side & { close(): Promise<void> };

/** Where to post, whose certificates to trust, and where its queue is. */
interface ReplicaSettings extends Pick<Workload, 'receiverUrl' | 'caFile'> {
  readonly storeUrl: string;
}

/** The program of a replica. @param open returns what begins a round, and that what ends it. */
export const serveRounds = async (
  open: (settings: ReplicaSettings) => Promise<() => () => Promise<void>>,
): Promise<void> => {
  const begin = await open(settingsOf<ReplicaSettings>());
  let end = async () => {};
  process.on('message', async (message) => {
    if (message === 'begin') end = begin();
    else await end();
    process.send!(message);
  });
  process.send!('ready');
};

/** A round of the side: the replica works until nothing is left of its `backlog`. */
export const startReplica = async (
  program: string,
  storeUrl: string,
  { backlog, receiverUrl, caFile }: Workload,
  isLeft: () => Promise<boolean>,
): Promise<Pick<Side, 'round'> & { close(): void }> => {
  const settings: ReplicaSettings = { storeUrl, receiverUrl, caFile };
  const replica = startProgram(program, settings);
  await replica.received();
  const tell = (message: string) => {
    replica.send(message);
    return replica.received();
  };
  return {
    round: async () => {
      await tell('begin');
      while (await isLeft()) await new Promise((resolve) => setTimeout(resolve, 10));
      await tell('end');
      return { operations: backlog };
    },
    close: replica.close,
  };
};

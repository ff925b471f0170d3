/**
 * Steps of orders that are sent after some seconds, in which a person can take them back. They are
 * kept in the tab's storage, so that a reload neither loses nor repeats one: each command has its id.
 */
/** Time in which a step can be taken back, in ms (issue "Now"). */
export const undoMs = 5000;

/** A command of OrderCommandService. */
export interface StepCommand {
  readonly rpc: string;
  readonly commandId: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** What a person did to several orders at once. */
export interface Act {
  readonly id: string;
  /** How many orders. */
  readonly of: number;
  /** What they are afterwards, such as `assigned`. */
  readonly outcome: string;
}

/** What a person did to one order: one command, or several after each other. */
export interface Step {
  readonly id: string;
  readonly orderId: string;
  /** The steps that one act of the person made; absent: it is the only one. */
  readonly act?: Act;
  /** What is done, such as `Accept C-17`. */
  readonly words: string;
  /** Who did it: nobody else's session sends it. */
  readonly by: string;
  /** The commands that are not done yet. */
  readonly commands: readonly StepCommand[];
  /** When it is sent, in ms since the epoch. */
  readonly sendAt: number;
  /** Why the first command failed; absent: it was not sent, or it is under way. */
  readonly error?: string;
}

/** Takes back what one act of the person made and is not sent. @param step one of it, if any. */
export const dropBatch = (steps: Steps, step: Step | undefined): void => {
  if (!step) return;
  const isOfIt = ({ id, act }: Step) => (act?.id ?? id) === (step.act?.id ?? step.id);
  for (const { id } of steps.list().filter(isOfIt)) steps.drop(id);
};

/** Sends a command. @throws Error with a sentence for the person */
export type SendCommand = (orderId: string, command: StepCommand) => Promise<unknown>;

const storedAs = 'steps';

export interface Steps {
  readonly list: () => readonly Step[];
  /** The last act of which steps were done, and how many; undefined: none, or it is forgotten. */
  readonly last: () => (Act & { readonly done: number }) | undefined;
  readonly forgetLast: () => void;
  readonly subscribe: (changed: () => void) => () => void;
  readonly add: (step: Step) => void;
  /** Takes back a step that was not sent, or forgets one that failed. */
  readonly drop: (id: string) => void;
  readonly retry: (id: string) => void;
}

/**
 * Opens the steps of a person in this tab, and sends each when its time has come. Those of another
 * person are forgotten.
 * @param sent called after each command that was done.
 */
export const openSteps = (
  storage: Pick<Storage, 'getItem' | 'setItem'>,
  by: string,
  send: SendCommand,
  sent: (orderId: string) => void,
): Steps => {
  const stored: readonly Step[] = JSON.parse(storage.getItem(storedAs) ?? '[]');
  let last: ReturnType<Steps['last']>;
  let steps: readonly Step[] = stored.filter((step) => step.by === by);
  const listeners = new Set<() => void>();
  const timers = new Map<string, ReturnType<typeof setTimeout>>();
  const set = (next: readonly Step[]) => {
    steps = next;
    storage.setItem(storedAs, JSON.stringify(next));
    for (const listener of listeners) listener();
  };
  const change = (id: string, with_: (step: Step) => Step) =>
    set(steps.map((step) => (step.id === id ? with_(step) : step)));
  const plan = (step: Step, waitMs: number) => {
    clearTimeout(timers.get(step.id));
    timers.set(
      step.id,
      setTimeout(() => void run(step.id), Math.max(0, waitMs)),
    );
  };
  const run = async (id: string): Promise<void> => {
    const step = steps.find((one) => one.id === id);
    const [first, ...others] = step?.commands ?? [];
    if (!step) return;
    if (!first) {
      const { act } = step; // a step alone, which its card shows, takes the place of what was done before
      last = act && { ...act, done: last?.id === act.id ? last.done + 1 : 1 };
      return set(steps.filter((one) => one.id !== id));
    }
    try {
      await send(step.orderId, first);
    } catch (thrown) {
      return change(id, (one) => ({ ...one, error: (thrown as Error).message }));
    }
    change(id, (one) => ({ ...one, commands: others }));
    sent(step.orderId);
    await run(id);
  };
  for (const step of steps) if (step.error === undefined) plan(step, step.sendAt - Date.now());
  return {
    list: () => steps,
    last: () => last,
    forgetLast: () => {
      last = undefined;
      set([...steps]);
    },
    subscribe: (changed) => {
      listeners.add(changed);
      return () => void listeners.delete(changed);
    },
    add: (step) => {
      set([...steps, step]);
      plan(step, step.sendAt - Date.now());
    },
    drop: (id) => {
      clearTimeout(timers.get(id));
      set(steps.filter((one) => one.id !== id));
    },
    retry: (id) => {
      change(id, ({ error: _, ...step }) => step);
      plan(steps.find((one) => one.id === id)!, 0);
    },
  };
};

import type { LocalStack } from '../../../e2e/local-stack.ts';
import type { Receiver } from '../../../e2e/receiver.ts';
import type { operatorOf } from '../stage/local-stack.ts';
import type { Partners } from '../stage/partners.ts';
import type { Stage } from '../stage/rehearsal.ts';

/** What the faults act on. */
export interface AlertScene {
  readonly stage: Stage;
  readonly stack: LocalStack;
  readonly receiver: Receiver;
  readonly partners: Partners;
  readonly operator: ReturnType<typeof operatorOf>;
  /** The proxy of all webhooks, which can be stopped. */
  readonly proxy: { stop(): Promise<unknown>; start(): Promise<void> };
}

/** One real fault, with the alerts that it must fire. */
export interface AlertFault {
  readonly what: string;
  readonly alerts: readonly string[];
  /** Begins the fault. @returns what ends it. */
  readonly begin: (scene: AlertScene) => Promise<() => Promise<unknown> | unknown>;
}

import type { LocalStack } from '../../../e2e/local-stack.ts';
import type { Receiver } from '../../../e2e/receiver.ts';
import type { operatorOf } from '../stage/local-stack.ts';
import type { Partners } from '../stage/partners.ts';
import type { Stage } from '../stage/rehearsal.ts';
import type { Expected } from './alert-watch.ts';
import type { Logs } from './logs.ts';
import type { Monitoring } from './prometheus.ts';

/** What runbooks are followed on. */
export interface RunbookScene {
  readonly stage: Stage;
  readonly stack: LocalStack;
  readonly monitoring: Monitoring;
  /** The logs since the fault began. */
  readonly logs: Logs;
  /** Names of the alerts whose pages were followed. */
  readonly followed: Set<string>;
}

/** What the faults act on. */
export interface AlertScene extends RunbookScene {
  readonly receiver: Receiver;
  readonly partners: Partners;
  readonly operator: ReturnType<typeof operatorOf>;
  /** The proxy of all webhooks, which can be stopped. */
  readonly proxy: { readonly url: string; stop(): Promise<unknown>; start(): Promise<void> };
}

/** One real fault, with the alerts that it must fire. */
export interface AlertFault {
  readonly what: string;
  readonly alerts: readonly Expected[];
  /** Begins a fault that takes long, before all others; its seconds count from here. */
  readonly prepare?: (scene: AlertScene) => Promise<void>;
  /** Begins the fault. @returns what ends it. */
  readonly begin: (scene: AlertScene) => Promise<() => Promise<unknown> | unknown>;
  /**
   * Follows the runbook of each of its alerts while they fire.
   * @throws Error if a page does not name the cause.
   */
  readonly follow: (scene: AlertScene) => Promise<void>;
}

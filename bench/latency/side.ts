import type { CpuMicros } from '../measuring/process-cpu.ts';

/** A system that delivers webhooks, as R4 measures it. */
export interface Side {
  readonly name: string;
  /**
   * Sends the request number `n` that causes one webhook.
   * @returns the id in the webhook's `data.order.id`, and the time until the response in ms.
   * @throws VoidRun where the response is not the expected one.
   */
  send(n: number): Promise<{ readonly id: string; readonly ms: number }>;
  /** CPU time of all processes and stores until now. */
  cpu(): CpuMicros;
}

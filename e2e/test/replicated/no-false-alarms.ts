/**
 * The auditor and `ledger verify` beside writers that never rest, and beside writers whose services
 * and Kafka fail: delays are reported, violations never (decision 53).
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { until } from '@pto/testing';
import { asSuperuser } from '../../as-superuser.ts';
import { killOne } from '../../kill.ts';
import { liveOrder } from '../../load.ts';
import { type LocalStack, settled } from '../../local-stack.ts';
import { operator } from '../../operator.ts';
import { size } from '../experiments.ts';

export const noFalseAlarms = (stack: LocalStack): void => {
  /** How long each experiment lasts at least. */
  const seconds = size(4, 600);
  const writers = size(3, 8);
  const delayedSeconds = 3;
  /** Between two verifications: each starts a process, and the machine is for those who write. */
  const restMs = 1000;

  /** Orders that go through all states, until stopped. */
  const startWriters = (name: string) => {
    let [on, written] = [true, 0];
    const lane = async (n: number) => {
      for (let order = 0; on; order++) {
        await liveOrder(stack, `${name}-${n}-${order}`);
        written++;
      }
    };
    const running = Promise.all(Array.from({ length: writers }, (_, n) => lane(n)));
    return {
      written: () => written,
      stop: () => {
        on = false;
        return running;
      },
    };
  };

  /** `ledger verify` again and again; a service that is unavailable gives no verdict. */
  const startVerifying = () => {
    let on = true;
    const verdicts: { valid: boolean; faults: unknown[] }[] = [];
    const running = (async () => {
      while (on) {
        const { json } = await operator(stack, 'ledger', 'verify');
        if (json) verdicts.push(json);
        await sleep(restMs);
      }
    })();
    return {
      stop: async () => {
        on = false;
        await running;
        return verdicts;
      },
    };
  };

  const auditorMetric = async (name: string): Promise<number> => {
    const auditor = stack.file().services.find((service) => service.name === 'auditor')!;
    const text = await (await fetch(auditor.metricsUrl)).text();
    return Number(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, 'm').exec(text)?.[1]);
  };

  /** Passes of the auditor so far, each with what it found. */
  const passes = (): { violations: number; fullCompleted: boolean }[] => {
    const folder = join(stack.dir, 'logs');
    return readdirSync(folder)
      .filter((name) => name.startsWith('auditor'))
      .flatMap((name) => readFileSync(join(folder, name), 'utf8').trim().split('\n'))
      .filter((line) => line.includes('"audit pass completed"'))
      .map((line) => JSON.parse(line));
  };

  const mails = (): string[] =>
    readdirSync(join(stack.dir, 'mail')).filter((name) =>
      readFileSync(join(stack.dir, 'mail', name), 'utf8').includes('Custody ledger'),
    );

  const flaggedOrders = (): Promise<number> =>
    asSuperuser(stack, 'orders', async (client) => {
      const { rows } = await client.query(
        `select (select count(*) from orders where custody_fault is not null)
         + (select count(*) from integrity_violations) as count`,
      );
      return Number(rows[0].count);
    });

  const expectNoAlarm = async (verdicts: readonly { valid: boolean; faults: unknown[] }[]) => {
    expect(verdicts.length).toBeGreaterThan(0);
    for (const { faults } of verdicts) expect(faults).toEqual([]);
    expect(passes().filter(({ violations }) => violations > 0)).toEqual([]);
    expect(await auditorMetric('custody_faults')).toBe(0);
    // with every comparison in the right order the second read has nothing to correct
    expect(await auditorMetric('custody_audit_unconfirmed_total')).toBe(0);
    expect([mails(), await flaggedOrders()]).toEqual([[], 0]);
  };

  test('writers that never rest cause no violation, no mail and no flag', async () => {
    const [load, verifying, before] = [startWriters('calm'), startVerifying(), passes().length];
    await sleep(seconds * 1000); // the length of the experiment, not a wait for anything
    await until(() => load.written() > writers && passes().length > before + seconds, {
      what: 'orders that lived, and audits beside them',
      deadlineMs: 60_000,
    });
    await load.stop();
    await expectNoAlarm(await verifying.stop());
    await until(() => passes().some(({ fullCompleted }) => fullCompleted), {
      what: 'a full audit',
      deadlineMs: 60_000,
    });
  }, 300_000);

  /**
   * Kafka hangs until the auditor reports the delay, and one custody process with it: it cannot start
   * again before Kafka answers.
   */
  const stopKafka = async (pid: number): Promise<void> => {
    process.kill(pid, 'SIGSTOP');
    try {
      killOne(stack, 'custody');
      await until(
        async () => (await auditorMetric('custody_oldest_unstored_event_seconds')) > delayedSeconds,
        { what: 'a reported delay', deadlineMs: 60_000 },
      );
    } finally {
      process.kill(pid, 'SIGCONT');
    }
  };

  test('services that are killed and a Kafka that stops are delays and never violations', async () => {
    const [load, verifying] = [startWriters('faults'), startVerifying()];
    const end = Date.now() + seconds * 1000;
    const { kafka } = stack.file().stores.pids;
    if (kafka !== undefined) {
      await stopKafka(kafka);
      await settled(stack);
    }
    let killed = 0;
    for (; Date.now() < end || killed < 2; killed++) {
      killOne(stack, 'orders', 'custody');
      await sleep(Math.random() * 1000); // the pace of the attack
      await settled(stack);
    }
    await load.stop();
    await until(async () => (await auditorMetric('custody_oldest_unstored_event_seconds')) === 0, {
      what: 'custody to have stored every event',
      deadlineMs: 60_000,
    });
    const verdicts = await verifying.stop();
    verdicts.push((await operator(stack, 'ledger', 'verify')).json);
    await expectNoAlarm(verdicts);
  }, 300_000);
};

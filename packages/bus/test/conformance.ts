import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { uuidv7 } from '@pto/database';
import { uniqueName, until } from '@pto/testing';
import type { Bus, IncomingMessage, OutgoingMessage } from '../src/index.ts';
import { openTestBus, type TestBusSettings } from './open-test-bus.ts';
import { startMember } from './start-member.ts';

/** What every bus promises, whatever stands behind it. */
export const keepsTheBusPromises = (prepare: () => Promise<TestBusSettings>): void => {
  let settings: TestBusSettings;
  let bus: Bus;
  const deadlineMs = 30_000;

  beforeAll(async () => {
    settings = await prepare();
    bus = await openTestBus(settings);
  });
  afterAll(() => bus?.close());

  const topicOf = async (partitions = 4): Promise<string> => {
    const name = uniqueName('topic');
    await bus.ensureTopics([{ name, partitions }]);
    return name;
  };
  const message = (topic: string, key: string, n: number): OutgoingMessage => ({
    topic,
    key,
    id: uuidv7(),
    type: 'numbered',
    value: Buffer.from(`${n}`),
  });
  /** Keys k0 … k4, each with its messages numbered from `from`. */
  const numbered = (topic: string, each: number, from = 0): OutgoingMessage[] =>
    Array.from({ length: each * 5 }, (_, i) =>
      message(topic, `k${i % 5}`, from + Math.floor(i / 5)),
    );
  const collect = async (group: string, topic: string, on = bus) => {
    const seen: IncomingMessage[] = [];
    const subscription = await on.subscribe({
      group,
      topic,
      handle: async (batch) => {
        seen.push(...batch);
      },
    });
    return { seen, stop: subscription.stop };
  };
  /** The numbers of each key in the order of their first arrival. */
  const numbersByKey = (seen: readonly { key: string; value: Uint8Array }[]) => {
    const keys: Record<string, number[]> = {};
    for (const { key, value } of seen) {
      keys[key] ??= [];
      const numbers = keys[key];
      const n = Number(Buffer.from(value).toString());
      if (!numbers.includes(n)) numbers.push(n);
    }
    return keys;
  };
  /**
   * How many different messages arrived. A send of which one partition was refused is repeated for
   * all of them, so each arrives at least once; a topic that was made a moment ago shows it.
   */
  const distinct = (seen: readonly { id: string }[]) => new Set(seen.map(({ id }) => id)).size;
  const upTo = (n: number) => Array.from({ length: n }, (_, i) => i);
  const allKeys = (n: number) =>
    Object.fromEntries(['k0', 'k1', 'k2', 'k3', 'k4'].map((key) => [key, upTo(n)]));

  test.concurrent('messages of one key arrive in the order of publishing', async () => {
    const topic = await topicOf();
    const { seen, stop } = await collect(uniqueName('group'), topic);
    for (let n = 0; n < 10; n++) await bus.publish(numbered(topic, 20, n * 20));
    await until(() => distinct(seen) === 1000, { what: 'all messages', deadlineMs });
    expect(numbersByKey(seen)).toEqual(allKeys(200));
    await stop();
  });

  test.concurrent('headers and bytes arrive as they were given', async () => {
    const topic = await topicOf();
    const sent: OutgoingMessage = {
      topic,
      key: 'schlüssel 😀',
      id: uuidv7(),
      type: 'order.created',
      traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
      requestId: 'request-1',
      reason: 'because',
      value: Uint8Array.from({ length: 256 }, (_, i) => i),
    };
    const bare = { topic, key: '', id: uuidv7(), type: 'bare', value: new Uint8Array() };
    await bus.publish([sent]);
    await bus.publish([bare]);
    const { seen, stop } = await collect(uniqueName('group'), topic);
    await until(() => distinct(seen) === 2, { what: 'two messages', deadlineMs });
    const [first, second] = [sent, bare].map((m) => seen.find(({ id }) => id === m.id)!);
    expect({ ...first, value: Uint8Array.from(first!.value) }).toEqual({
      ...sent,
      partition: expect.any(Number),
      offset: expect.stringMatching(/^\d+$/),
    });
    expect(second).toMatchObject({ key: '', type: 'bare' });
    expect(second!.traceparent ?? second!.requestId ?? second!.reason).toBeUndefined();
    expect(second!.value).toHaveLength(0);
    await stop();
  });

  test.concurrent('two groups each get every message, also one that comes late', async () => {
    const topic = await topicOf();
    const early = await collect(uniqueName('group'), topic);
    await bus.publish(numbered(topic, 10));
    const late = await collect(uniqueName('group'), topic);
    await until(() => distinct(early.seen) === 50 && distinct(late.seen) === 50, {
      what: 'every message in both groups',
      deadlineMs,
    });
    await Promise.all([early.stop(), late.stop()]);
  });

  test.concurrent('two members of a group share its messages', async () => {
    const topic = await topicOf();
    const group = uniqueName('group');
    const other = await openTestBus(settings);
    const members = await Promise.all([collect(group, topic), collect(group, topic, other)]);
    let sent = 0;
    await until(
      async () => {
        await bus.publish(upTo(10).map((n) => message(topic, `key ${sent++}`, n)));
        return members.every(({ seen }) => new Set(seen.map((m) => m.partition)).size >= 2);
      },
      { what: 'two partitions at each member', deadlineMs },
    );
    const all = () => members.flatMap(({ seen }) => seen);
    await until(() => distinct(all()) === sent, {
      what: 'every message at one of the two',
      deadlineMs,
    });
    await Promise.all(members.map(({ stop }) => stop()));
    await other.close();
  });

  test.concurrent('what a killed member held goes on with the other, in order', async () => {
    const topic = await topicOf();
    const group = uniqueName('group');
    const { seen, stop } = await collect(group, topic);
    const victim = await startMember(settings, group, topic);
    const published: OutgoingMessage[] = [];
    const publish = async () => {
      const next = numbered(topic, 2, published.length / 5);
      published.push(...next);
      await bus.publish(next);
    };
    try {
      await until(
        async () => {
          await publish();
          return victim.seen.length > 0;
        },
        { what: 'messages at the member to be killed', deadlineMs },
      );
    } finally {
      await victim.kill();
    }
    const arrived = () => distinct([...victim.seen, ...seen]);
    // once more after all has moved to the one that is left
    for (const what of ['every message', 'every later message']) {
      for (let n = 0; n < 5; n++) await publish();
      await until(() => arrived() === published.length, { what, deadlineMs });
    }
    const expected = upTo(published.length / 5);
    const inOrder = (numbers: number[]) => numbers.toSorted((a, b) => a - b);
    for (const list of [victim.seen, seen]) {
      for (const numbers of Object.values(numbersByKey(list))) {
        expect(numbers).toEqual(inOrder(numbers));
      }
    }
    for (const numbers of Object.values(numbersByKey([...victim.seen, ...seen]))) {
      expect(inOrder(numbers)).toEqual(expected);
    }
    await stop();
  });

  test.concurrent('messages that were refused come again, before any later one', async () => {
    const topic = await topicOf(1);
    const tries: number[][] = [];
    const { stop } = await bus.subscribe({
      group: uniqueName('group'),
      topic,
      batchMax: 3,
      handle: async (batch) => {
        tries.push(batch.map(({ value }) => Number(Buffer.from(value).toString())));
        if (tries.length <= 2) throw new Error('not now');
      },
    });
    await bus.publish(upTo(9).map((n) => message(topic, 'k', n)));
    await until(() => tries.flat().includes(8), { what: 'the last message', deadlineMs });
    expect(tries[1]![0]).toBe(0);
    expect(tries.slice(2).flat()).toEqual(upTo(9));
    expect(tries.every((batch) => batch.length <= 3)).toBe(true);
    await stop();
  });

  test.concurrent('one partition that refuses does not hold up the others', async () => {
    const topic = await topicOf(2);
    const seen = new Set<string>();
    const { stop } = await bus.subscribe({
      group: uniqueName('group'),
      topic,
      handle: async (batch) => {
        if (batch[0]!.partition === 0) throw new Error('never');
        for (const { id } of batch) seen.add(id);
      },
    });
    let sent = 0;
    await until(
      async () => {
        await bus.publish(upTo(10).map((n) => message(topic, `key ${sent++}`, n)));
        return seen.size > 30;
      },
      { what: 'messages of the other partition', deadlineMs },
    );
    await stop();
  });

  test.concurrent('a group goes on after a restart with what it had not finished', async () => {
    const topic = await topicOf();
    const group = uniqueName('group');
    const first = await collect(group, topic);
    await bus.publish(numbered(topic, 10));
    await until(() => distinct(first.seen) === 50, { what: 'the first messages', deadlineMs });
    await first.stop();
    expect(await bus.lag(group, topic)).toBe(0);
    await bus.publish(numbered(topic, 4, 10));
    expect(await bus.lag(group, topic)).toBe(20);
    const second = await collect(group, topic);
    await until(() => distinct(second.seen) === 20, { what: 'the rest', deadlineMs });
    expect(numbersByKey([...first.seen, ...second.seen])).toEqual(allKeys(14));
    await second.stop();
  });

  test.concurrent('the lag up to ends counts no message that came after them', async () => {
    const topic = await topicOf();
    const group = uniqueName('group');
    expect([...(await bus.ends(topic)).values()]).toEqual([0n, 0n, 0n, 0n]);
    await bus.publish(numbered(topic, 10));
    const ends = await bus.ends(topic);
    const total = [...ends.values()].reduce((sum, end) => sum + end, 0n);
    await bus.publish(numbered(topic, 4, 10));
    expect(await bus.lag(group, topic, ends)).toBe(Number(total));
    expect(await bus.lag(group, topic, new Map())).toBe(0);
    expect(await bus.lag(group, topic)).toBeGreaterThanOrEqual(Number(total) + 20);
    const { seen, stop } = await collect(group, topic);
    await until(() => distinct(seen) === 70, { what: 'all messages', deadlineMs });
    await stop();
    expect(await bus.lag(group, topic, ends)).toBe(0);
    // ends of a topic that lost its newest messages
    expect(await bus.lag(group, topic, new Map([[0, 1_000_000n]]))).toBe(0);
  });

  test.concurrent('a topic that several make at once is there for all of them', async () => {
    const topics = [uniqueName('topic'), uniqueName('topic')].map((name) => ({
      name,
      partitions: 3,
    }));
    await Promise.all([
      bus.ensureTopics(topics),
      bus.ensureTopics([...topics].reverse()),
      bus.ensureTopics(topics),
    ]);
    await bus.publish(topics.map(({ name }) => message(name, 'k', 1)));
  });

  test.concurrent('lag is read while other topics are created and read', async () => {
    const group = uniqueName('group');
    await Promise.all(
      upTo(10).map(async () => {
        const topic = await topicOf();
        expect(await Promise.all(upTo(5).map(() => bus.lag(group, topic)))).toEqual([
          0, 0, 0, 0, 0,
        ]);
      }),
    );
  });

  test.concurrent('the lag of a group is what it has not finished while topics are created', async () => {
    const topic = await topicOf();
    const group = uniqueName('group');
    const { seen, stop } = await collect(group, topic);
    await bus.publish(numbered(topic, 10));
    await until(() => distinct(seen) === 50, { what: 'the messages', deadlineMs });
    await stop();
    await bus.publish(numbered(topic, 4, 10));
    const lags = new Set<number>();
    let creating = true;
    const read = async () => {
      while (creating) lags.add(await bus.lag(group, topic));
    };
    const readers = upTo(4).map(read);
    for (let n = 0; n < 20; n++) await Promise.all([topicOf(), topicOf()]);
    creating = false;
    await Promise.all(readers);
    expect([...lags]).toEqual([20]);
  });

  // behind the others: messages that are published at one moment share a request and its error
  test('what is published to a topic that is not there is refused', async () => {
    await expect(bus.publish([message(uniqueName('none'), 'k', 1)])).rejects.toThrow();
  });
};

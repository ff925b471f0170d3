import { createBatches } from '@pto/concurrency';
import { within } from '@pto/lifecycle';
import type { Logger } from '@pto/telemetry';
import { Redis } from 'ioredis';
import { budgetWindowMs, type Usage } from './sliding-window.ts';

/** Timeout of a command in ms. After it the request continues without Redis. */
const commandTimeoutMs = 100;
/**
 * Time without a response from Redis after which the connection is closed, in ms. Until the
 * connection is open again, commands fail immediately.
 */
const silentMs = 500;

/**
 * Opens a connection to Redis that delays a request by at most the command timeout. While Redis is
 * unavailable, commands fail immediately and the connection is retried in the background. A demoted
 * master (`READONLY`) gets no further command: the connection is opened again, to the new master.
 */
export const openRedis = (url: string): Redis =>
  new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    socketTimeout: silentMs,
    connectTimeout: 2000,
    retryStrategy: (tries) => Math.min(2000, 50 * 2 ** Math.min(tries, 6)),
    reconnectOnError: (error) => codeOf(error) === 'READONLY',
  });

/** Returns the first word of an error that Redis has sent: `READONLY`, `OOM`, `NOPERM`, … */
const codeOf = ({ name, message }: Error): string | undefined =>
  name === 'ReplyError' ? /^[A-Z]+/.exec(message)?.[0] : undefined;

/** Logs when Redis begins to fail, when the reason changes, and when a command succeeds again. */
const failureLog = (log: Logger) => {
  let failing: string | undefined;
  return (error?: Error): void => {
    const reason = error && (codeOf(error) ?? 'unavailable');
    if (reason === failing) return;
    failing = reason;
    if (!error) log.info('Redis accepts commands again');
    else if (reason === 'unavailable')
      log.warn({ err: error }, 'Redis is unavailable: limits are kept in memory');
    else log.warn({ code: reason }, 'Redis rejects a command: limits are kept in memory');
  };
};

/**
 * The script of the sliding windows in Redis, by the clock of Redis: for each name one log of granted
 * requests for all replicas, as a list of times in microseconds, oldest first. It stores at most
 * `limit` times of about 10 bytes per name, and nothing for rejected requests. For each name it gets
 * the limit and the number of requests, and returns granted, used, nextIn and fullIn.
 *
 * rate-limiter-flexible 11 has only fixed windows, which allow twice the limit around an edge. GCRA
 * with a burst of the complete limit allows nearly twice the limit in a window, too; decision 57
 * allows the limit once.
 */
const script = `
local window = tonumber(ARGV[1])
local time = redis.call('TIME')
local clock = time[1] * 1000000 + time[2]
local reply = {}
for n, key in ipairs(KEYS) do
  local function at(index) return tonumber(redis.call('LINDEX', key, index)) end
  local now = clock
  local used = redis.call('LLEN', key)
  if used > 0 and at(-1) > now then -- the clock was set back
    if at(-1) > now + window then
      redis.call('DEL', key)
      used = 0
    else
      now = at(-1)
    end
  end
  if used > 0 and at(0) <= now - window then
    local low, high = 1, used -- the first time within the window is at low
    while low < high do
      local middle = math.floor((low + high) / 2)
      if at(middle) <= now - window then low = middle + 1 else high = middle end
    end
    redis.call('LTRIM', key, low, -1)
    used = used - low
  end
  local limit = tonumber(ARGV[2 * n])
  local granted = math.max(0, math.min(tonumber(ARGV[2 * n + 1]), limit - used))
  if granted > 0 then
    local text = string.format('%.0f', now)
    for _ = 1, granted do redis.call('RPUSH', key, text) end
    redis.call('PEXPIRE', key, math.ceil(window / 1000))
    used = used + granted
  end
  local nextIn = 0
  if used >= limit then nextIn = at(used - limit) + window - now end
  local fullIn = 0
  if used > 0 then fullIn = at(-1) + window - now end
  for _, value in ipairs({ granted, used, nextIn, fullIn }) do table.insert(reply, value) end
end
return reply
`;

type Run = (keyCount: number, ...keysAndArguments: (string | number)[]) => Promise<number[]>;

interface Use {
  readonly name: string;
  readonly limit: number;
  readonly cost: 0 | 1;
}

/**
 * Creates a sliding window in Redis that all replicas share. The uses of one turn of the event loop
 * share one round trip.
 */
export const createSharedWindow = (
  redis: Redis,
  keyPrefix: string,
  log: Logger,
  windowMs = budgetWindowMs,
) => {
  const observe = failureLog(log);
  redis.on('error', observe);
  redis.defineCommand('useBudgets', { lua: script });
  const { useBudgets } = redis as unknown as { useBudgets: Run };

  const run = async (uses: readonly Use[]): Promise<(use: Use) => Usage> => {
    const budgets = [...Map.groupBy(uses, ({ name, limit }) => `${limit}:${name}`).values()];
    const response = useBudgets.call(
      redis,
      budgets.length,
      ...budgets.map(([use]) => `${keyPrefix}:${use!.name}`),
      windowMs * 1000,
      ...budgets.flatMap((of) => [of[0]!.limit, of.filter(({ cost }) => cost === 1).length]),
    );
    const reply = await within(commandTimeoutMs, 'a response of Redis', response).catch(
      (error: Error) => {
        // the event `error` reports a connection that was lost
        if (codeOf(error) !== undefined) observe(error);
        throw error;
      },
    );
    observe();
    const usages = new Map<Use, Usage>();
    for (const [n, of] of budgets.entries()) addUsages(usages, of, reply.slice(4 * n, 4 * n + 4));
    return (use) => usages.get(use)!;
  };
  const use = createBatches(run, { inFlightMax: 1000, batchMax: 256 });
  return {
    /**
     * Returns the usage of a budget.
     * @param cost 1 takes one request from the budget if it can be granted; 0 takes none.
     * @throws Error: immediately if the connection to Redis is not ready, or after the command
     *   timeout.
     */
    use: async (name: string, limit: number, cost: 0 | 1): Promise<Usage> => {
      if (redis.status !== 'ready') throw new Error('Redis is not ready');
      return use({ name, limit, cost });
    },
  };
};

/** Adds the usage of each use of one budget: the first ones are granted. */
const addUsages = (
  usages: Map<Use, Usage>,
  uses: readonly Use[],
  [granted = 0, used = 0, nextIn = 0, fullIn = 0]: readonly number[],
): void => {
  const times = { nextInMs: nextIn / 1000, fullInMs: fullIn / 1000 };
  let left = granted;
  for (const use of uses) {
    const isGranted = use.cost === 1 && left > 0;
    if (isGranted) left--;
    usages.set(use, { granted: isGranted, used: used - (isGranted ? left : 0), ...times });
  }
};

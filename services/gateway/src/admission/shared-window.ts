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
 * The script of a sliding window in Redis, by the clock of Redis: one log of granted requests for
 * all replicas, as a list of times in microseconds, oldest first. It stores at most `limit` times of
 * about 10 bytes, and nothing for rejected requests. It gets the window, the limit and 1 to take a
 * request or 0, and returns granted, used, nextIn and fullIn.
 *
 * rate-limiter-flexible 11 has only fixed windows, which allow twice the limit around an edge. GCRA
 * with a burst of the complete limit allows nearly twice the limit in a window, too; decision 57
 * allows the limit once.
 */
const script = `
local key, window, limit = KEYS[1], tonumber(ARGV[1]), tonumber(ARGV[2])
local function at(index) return tonumber(redis.call('LINDEX', key, index)) end
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
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
local granted = math.max(0, math.min(tonumber(ARGV[3]), limit - used))
if granted > 0 then
  redis.call('RPUSH', key, string.format('%.0f', now))
  redis.call('PEXPIRE', key, math.ceil(window / 1000))
  used = used + 1
end
local nextIn = 0
if used >= limit then nextIn = at(used - limit) + window - now end
local fullIn = 0
if used > 0 then fullIn = at(-1) + window - now end
return { granted, used, nextIn, fullIn }
`;

type Run = (...keyAndArguments: (string | number)[]) => Promise<number[]>;

/** Creates a sliding window in Redis that all replicas share. */
export const createSharedWindow = (
  redis: Redis,
  keyPrefix: string,
  log: Logger,
  windowMs = budgetWindowMs,
) => {
  const observe = failureLog(log);
  redis.on('error', observe);
  redis.defineCommand('useBudget', { numberOfKeys: 1, lua: script });
  const { useBudget } = redis as unknown as { useBudget: Run };
  return {
    /**
     * Returns the usage of a budget.
     * @param cost 1 takes one request from the budget if it can be granted; 0 takes none.
     * @throws Error: immediately if the connection to Redis is not ready, or after the command
     *   timeout.
     */
    use: async (name: string, limit: number, cost: 0 | 1): Promise<Usage> => {
      if (redis.status !== 'ready') throw new Error('Redis is not ready');
      const response = useBudget.call(redis, `${keyPrefix}:${name}`, windowMs * 1000, limit, cost);
      const reply = await within(commandTimeoutMs, 'a response of Redis', response).catch(
        (error: Error) => {
          // the event `error` reports a connection that was lost
          if (codeOf(error) !== undefined) observe(error);
          throw error;
        },
      );
      observe();
      const [granted = 0, used = 0, nextIn = 0, fullIn = 0] = reply;
      return { granted: granted > 0, used, nextInMs: nextIn / 1000, fullInMs: fullIn / 1000 };
    },
  };
};

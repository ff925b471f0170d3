import type { Redis } from 'ioredis';
import { budgetWindowMs, type Usage } from './usage.ts';

/**
 * The script of the sliding window in Redis, by the clock of Redis: one log of granted requests for
 * all replicas, as a list of times in microseconds, oldest first. It stores at most `limit` times
 * of about 10 bytes per name, and nothing for rejected requests.
 *
 * rate-limiter-flexible 11 has only fixed windows, which allow twice the limit around an edge. GCRA
 * with a burst of the complete limit allows nearly twice the limit in a window, too; decision 57
 * allows the limit once.
 */
const script = `
local window = tonumber(ARGV[3])
local function at(index) return tonumber(redis.call('LINDEX', KEYS[1], index)) end
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local used = redis.call('LLEN', KEYS[1])
if used > 0 and at(-1) > now then -- the clock was set back
  if at(-1) > now + window then
    redis.call('DEL', KEYS[1])
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
  redis.call('LTRIM', KEYS[1], low, -1)
  used = used - low
end
local limit = tonumber(ARGV[1])
local granted = 0
if ARGV[2] == '1' and used < limit then
  redis.call('RPUSH', KEYS[1], string.format('%.0f', now))
  redis.call('PEXPIRE', KEYS[1], math.ceil(window / 1000))
  used = used + 1
  granted = 1
end
local nextIn = 0
if used >= limit then nextIn = at(used - limit) + window - now end
local fullIn = 0
if used > 0 then fullIn = at(-1) + window - now end
return { granted, used, nextIn, fullIn }
`;

type Run = (key: string, limit: number, cost: 0 | 1, windowMicros: number) => Promise<number[]>;

/** Creates a sliding window in Redis that all replicas share. Each use is one round trip. */
export const createSharedWindow = (redis: Redis, keyPrefix: string, windowMs = budgetWindowMs) => {
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
      const reply = await useBudget.call(
        redis,
        `${keyPrefix}:${name}`,
        limit,
        cost,
        windowMs * 1000,
      );
      const [granted = 0, used = 0, nextIn = 0, fullIn = 0] = reply;
      return {
        granted: granted === 1,
        used,
        nextInMs: nextIn / 1000,
        fullInMs: fullIn / 1000,
      };
    },
  };
};

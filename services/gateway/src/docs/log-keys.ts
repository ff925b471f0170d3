import type { Backends } from '../backends.ts';

/** The keys of the custody log: the body of /custody/keys.json. */
export interface LogKeys {
  readonly origin: string;
  readonly keys: readonly {
    readonly vkey: string;
    readonly valid_from: string;
    readonly valid_until: string | null;
  }[];
}

/**
 * Reads the log's keys from custody.
 * @param deadlineMs maximum duration of the RPC.
 * @throws Failure if custody is unavailable.
 */
export const readLogKeys = async (
  { log }: Pick<Backends, 'log'>,
  deadlineMs: number,
): Promise<LogKeys> => {
  const { origin, keys } = await log.listKeys({}, { deadline: performance.now() + deadlineMs });
  return {
    origin,
    keys: keys.map(({ vkey, validFrom, validUntil = null }) => ({
      vkey,
      valid_from: validFrom,
      valid_until: validUntil,
    })),
  };
};

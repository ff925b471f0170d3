import type { Artifact } from '@pto/artifacts/inspect';
import { openThread } from '@pto/concurrency';
import type { Custody } from '@pto/proto/payloads';
import type { ReadingsMediaType } from '../conditions/reading.ts';
import type { ConditionSummary } from '../conditions/summarize.ts';
import type { Limits, TemperatureUnit } from '../conditions/units.ts';

/** A file of 5 MiB takes up to 1 s of CPU time. */
const workMaxMs = 8000;
/** Each organization has one file at a time in the queue (rpc/order-service.ts). */
const waitingMax = 256;
/** The worst PDF takes 147 MB. */
const heapMaxMb = 192;

interface Readings {
  readonly content: Uint8Array;
  readonly mediaType: ReadingsMediaType;
  readonly unit: TemperatureUnit;
  /** Of the order, in °C. */
  readonly limits: Limits;
  readonly custody: Custody;
}

interface File {
  readonly content: Uint8Array;
  readonly mediaType: string;
}

export type FileWork =
  | ({ readonly what: 'readings' } & Readings)
  | ({ readonly what: 'artifact' } & File);

/**
 * Reads the files of evidence on a thread, one at a time. On the event loop a file of 100,000
 * readings would delay all other calls by 0.3 s, and a picture or PDF by up to 0.7 s.
 */
export interface FileReader {
  /** Reads and summarizes readings. @throws Failure VALIDATION at `["readings"]` */
  summarize(readings: Readings): Promise<ConditionSummary>;
  /** Checks a picture or PDF by its content. @throws Failure VALIDATION */
  inspect(file: File): Promise<Artifact>;
  stop(): Promise<void>;
}

/** Opens a reader, whose thread starts with the first file and ends without work. */
export const openFileReader = (): FileReader => {
  const thread = openThread<FileWork, unknown>({
    program: 'files-thread',
    source: new URL('files-thread.ts', import.meta.url),
    workMaxMs,
    waitingMax,
    heapMaxMb,
  });
  return {
    summarize: (readings) =>
      thread.run({ what: 'readings', ...readings }) as Promise<ConditionSummary>,
    inspect: (file) => thread.run({ what: 'artifact', ...file }) as Promise<Artifact>,
    stop: () => thread.stop(),
  };
};

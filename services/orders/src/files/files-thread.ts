/** The thread that reads the files of evidence (decision 71). */
import { inspectArtifact } from '@pto/artifacts/inspect';
import { serveThread } from '@pto/concurrency';
import { readReadings } from '../conditions/read-readings.ts';
import { summarize } from '../conditions/summarize.ts';
import type { FileWork } from './file-reader.ts';

serveThread(async (work: FileWork) =>
  work.what === 'readings'
    ? summarize(readReadings(work.content, work.mediaType), work.unit, work.limits)
    : inspectArtifact(work.content, work.mediaType),
);

/** The thread that reads the files of evidence (decision 71). */
import { inspectArtifact } from '@pto/artifacts/inspect';
import { serveThread } from '@pto/concurrency';
import { readReadings } from '../conditions/read-readings.ts';
import { summarize } from '../conditions/summarize.ts';
import type { FileWork } from './file-reader.ts';

serveThread(async (work: FileWork) => {
  if (work.what === 'artifact') return inspectArtifact(work.content, work.mediaType);
  const readings = readReadings(work.content, work.mediaType);
  return summarize(readings, work.unit, work.limits, work.custody);
});

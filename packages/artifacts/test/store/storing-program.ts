/** Stores artifacts of 5 MiB until the process is killed. Prints each id before and after. */
import { hash, randomBytes, randomUUID } from 'node:crypto';
import { readConfig } from '@pto/config';
import { artifactMaxBytes, artifactSettings, openArtifacts } from '../../src/index.ts';

const artifacts = await openArtifacts(readConfig(artifactSettings, process.env).settings);
for (;;) {
  const bytes = randomBytes(artifactMaxBytes);
  const id = { orderId: randomUUID(), sha256: hash('sha256', bytes) };
  process.stdout.write(`${JSON.stringify({ id, stored: false })}\n`);
  await artifacts.store(id, bytes);
  process.stdout.write(`${JSON.stringify({ id, stored: true })}\n`);
}

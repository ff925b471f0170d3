import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { stores as shared } from '@pto/testing';
import { createGuards } from '../src/guards.ts';
import { fetchWithMaven } from '../src/kafka/maven.ts';
import { freePorts } from '../src/ports.ts';
import { startStores } from '../src/start-stores.ts';
import { privateFolder } from './run-program.ts';

const path = process.env.PATH;
const javaHome = process.env.JAVA_HOME;
let folder: ReturnType<typeof privateFolder>;
beforeEach(() => {
  folder = privateFolder();
});
afterEach(() => {
  process.env.PATH = path;
  if (javaHome !== undefined) process.env.JAVA_HOME = javaHome;
  folder.remove();
});

/** Only these programs, each with the given text, are on the PATH. */
const onlyPrograms = (programs: Record<string, string>) => {
  const bin = join(folder.dir, 'bin');
  mkdirSync(bin);
  for (const [name, text] of Object.entries(programs)) {
    writeFileSync(join(bin, name), `#!/bin/sh\n${text}\n`);
    chmodSync(join(bin, name), 0o755);
  }
  delete process.env.JAVA_HOME;
  process.env.PATH = bin;
};
const java = (version: string) => `echo 'openjdk version "${version}"' >&2`;
const fetched = () => fetchWithMaven(createGuards(folder.dir), () => {}, join(folder.dir, 'cache'));

test.each([
  [{}, 'neither Java nor Maven is installed'],
  [{ java: java('17.0.15') }, 'Java is installed, but Maven (`mvn`) is not'],
  [{ java: 'exit 1', mvn: '' }, 'Maven is installed, but no Java that runs'],
])('with %j on the PATH, what is missing is named', async (programs, words) => {
  onlyPrograms(programs as Record<string, string>);
  expect(await fetched()).toBe(words);
});

test('when Maven fails, its own last words are given', async () => {
  onlyPrograms({
    java: java('17.0.15'),
    mvn: `echo '[ERROR] Could not transfer artifact: Connection refused'
echo '[ERROR] '; echo '[ERROR] -> [Help 1]'; echo '[ERROR] Re-run Maven using the -X switch'; exit 1`,
  });
  expect(await fetched()).toBe('Maven failed: Could not transfer artifact: Connection refused');
});

test('without Java, Maven and Redis there is Postgres, and one line for each that is missing', async () => {
  onlyPrograms({});
  const stores = await startStores({
    dir: folder.dir,
    want: { postgres: shared().postgres, redis: undefined, kafka: undefined },
    onProgress: () => {},
  });
  await stores.stop();
  expect(stores).toMatchObject({ redis: null, kafka: null });
  expect(stores.missing).toEqual([
    expect.stringMatching(/^no Redis .*install redis-server.*REDIS_URL$/),
    expect.stringMatching(/^no Kafka .*install Java 17\+ and Maven, or set KAFKA_BROKERS$/),
  ]);
});

test('a given store that does not answer is named by its variable, without its password', async () => {
  const [port] = await freePorts(1);
  const starting = startStores({
    dir: folder.dir,
    want: {
      postgres: `postgres://me:s3cret@127.0.0.1:${port}/postgres`,
      redis: shared().redis ?? undefined,
      kafka: shared().kafka ?? undefined,
    },
    onProgress: () => {},
  });
  await expect(starting).rejects.toThrow(
    new RegExp(`^DATABASE_URL: nobody answers at 127.0.0.1:${port} \\(ECONNREFUSED\\)$`),
  );
});

import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { classArchive } from '../src/kafka/kafka.ts';

const at = (javaMajor: number) => {
  const dir = mkdtempSync(join(tmpdir(), 'archive-'));
  return { dir, files: { kafkaJars: join(dir, 'jars'), javaMajor } };
};

test('what a JVM writes when it ends is what the next one reads', () => {
  const { dir, files } = at(17);
  const first = classArchive(dir, files);
  expect(first.flags).toContain(`-XX:ArchiveClassesAtExit=${join(dir, 'kafka.jsa')}`);
  writeFileSync(join(dir, 'kafka.jsa'), 'classes');
  first.keep(143);
  expect(existsSync(join(dir, 'kafka.jsa'))).toBe(false);
  expect(classArchive(dir, files).flags[0]).toBe(
    `-XX:SharedArchiveFile=${files.kafkaJars}-java17.jsa`,
  );
  // another Java has one of its own
  expect(classArchive(dir, { ...files, javaMajor: 21 }).flags[0]).toMatch(/ArchiveClassesAtExit/);
});

test('what a killed JVM has written is not kept', () => {
  const { dir, files } = at(17);
  const killed = classArchive(dir, files);
  writeFileSync(join(dir, 'kafka.jsa'), 'half');
  killed.keep(137);
  expect(existsSync(join(dir, 'kafka.jsa'))).toBe(false);
  expect(classArchive(dir, files).flags[0]).toMatch(/ArchiveClassesAtExit/);
});

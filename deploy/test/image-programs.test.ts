import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { images } from '@pto/bundle';
import { findProgram } from './programs.ts';
import { environments, manifests, podTemplates, render } from './rendered.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string): string => readFileSync(`${root}${path}`, 'utf8');
const dockerfile = read('Dockerfile');

/** The arguments that an image gives Node unless a pod names others. */
const defaultArguments = (image: string): string[] => {
  const stages = dockerfile.split(/^FROM /m);
  const textOf = (stage: string) =>
    stages.find((text) => text.split('\n')[0]!.endsWith(` AS ${stage}`))!;
  const wordsOf = (instruction: string): string[] => {
    const ofStage = (stage: string) =>
      new RegExp(`^${instruction} (\\[.*\\])$`, 'm').exec(textOf(stage));
    return JSON.parse((ofStage(image) ?? ofStage('runtime')!)[1]!);
  };
  const [, ...first] = wordsOf('ENTRYPOINT');
  return [...first, ...wordsOf('CMD')];
};

/** Programs among Node's arguments: the files of the image's working directory. */
const programsIn = (args: readonly string[]): string[] =>
  args
    .filter((argument) => /^[\w./-]+\.(?:[cm]?[jt]s)$/.test(argument))
    .map((argument) => argument.replace(/^\.\//, ''));

const has = (image: string): string[] =>
  Object.keys(images[image]!.programs).map((name) => `${name}.mjs`);

test.each(Object.keys(images))('the image %s starts a program that it contains', (image) => {
  const started = programsIn(defaultArguments(image));
  expect(started).toContain('main.mjs');
  expect(has(image)).toEqual(expect.arrayContaining(started));
});

(findProgram('helm') ? describe : describe.skip)('with Helm', () => {
  test.each(environments)('%s: each pod and each Job starts a program of its image', (name) => {
    const witness = [
      ...['--set', 'witness.enabled=true'],
      ...['--set', 'witness.env.WITNESS_NAME=witness.example.org'],
      ...['--set', 'witness.env.WITNESS_LOGS=example.org/custody key'],
    ];
    const pods = podTemplates(manifests(render(name, witness)));
    const started = pods.map(({ kind, metadata, spec }) => {
      const [{ image, args }] = spec.template.spec.containers;
      const [, of] = /\/([a-z-]+)[:@]/.exec(image)!;
      const words: string[] = args ?? defaultArguments(of!);
      const programs = programsIn(words);
      expect([kind, metadata.name, programs]).not.toContainEqual([]);
      expect([metadata.name, has(of!)]).toEqual([metadata.name, expect.arrayContaining(programs)]);
      return `${kind} ${metadata.name}`;
    });
    expect(started).toHaveLength({ local: 15, sandbox: 14, production: 12 }[name]);
  });
});

/** A program behind `node`, or behind an image that `docker run` starts. */
const started = /(?:\bnode|partner-api\/[a-z]+:\S+)(?: \\)?\s+(\S+\.[cm]?[jt]s)\b/g;

test('commands in the documents and in the notes name programs of the images', () => {
  const named = [
    'docs/operators/README.md',
    'docs/operators/install.md',
    'docs/operators/identities.md',
    'deploy/helm/partner-api/templates/NOTES.txt',
  ].flatMap((path) => [...read(path).matchAll(started)].map(([, file]) => file!));
  const inImages = named.filter((file) => !/^(tools|operator)\//.test(file));
  expect(new Set(inImages)).toEqual(new Set(['first-token.mjs']));
  expect(has('operators')).toContain('first-token.mjs');
});

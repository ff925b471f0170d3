/** The texts of an application's pages, read from the sources that its script is built of. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from '@swc/core';
import { build } from 'esbuild';

const root = join(import.meta.dirname, '../../..');

/** What is read of a node of the syntax tree. */
interface Node {
  readonly type?: string;
  readonly value?: unknown;
  readonly name?: unknown;
  readonly key?: unknown;
  readonly callee?: unknown;
  readonly arguments?: unknown;
  readonly opening?: unknown;
  readonly expression?: unknown;
  readonly elements?: unknown;
  readonly consequent?: unknown;
  readonly alternate?: unknown;
}

/** Attributes and members whose literal is drawn through `t` by the part that gets it. */
const drawnBy: readonly string[] = [
  ...['label', 'hint', 'name', 'verb', 'closing', 'placeholder', 'caption', 'of', 'title', 'text'],
];
/** Attributes that a browser reads to the person, and that no part translates. */
const readOut: readonly string[] = ['aria-label', 'alt'];
/** Elements whose text is no word of a language. */
const verbatim: readonly string[] = ['code', 'kbd', 'pre'];

const hasWords = (text: string) => /\p{L}{2}/u.test(text);
/** A code, a path, a class or a field of a form is no text. */
const isText = (text: string) => /^\p{Lu}\p{Ll}|\p{L}\s\p{L}/u.test(text);

export interface Found {
  /** English texts that a page draws through `t`. */
  readonly texts: Set<string>;
  /** Texts that a page draws as they are. */
  readonly untranslated: string[];
}

/** Collects the texts of a source. */
const textsOf = (source: string, isTsx: boolean, found: Found): void => {
  const literal = (node: unknown): readonly string[] => {
    const one = node as Node | null | undefined;
    if (one?.type === 'StringLiteral') return [one.value as string];
    if (one?.type === 'ConditionalExpression')
      return [...literal(one.consequent), ...literal(one.alternate)];
    return [];
  };
  const visit = (node: unknown): void => {
    if (node === null || typeof node !== 'object') return;
    if (Array.isArray(node)) {
      node.forEach(visit);
      return;
    }
    const one = node as Node;
    if (one.type === 'ImportDeclaration' || one.type?.startsWith('Ts')) return;
    if (one.type === 'CallExpression') {
      const { value: callee } = one.callee as { value?: string };
      const [first] = one.arguments as { expression: unknown }[];
      if (callee === 't' || callee === 'rich')
        for (const text of literal(first?.expression)) found.texts.add(text);
    }
    if (one.type === 'JSXElement') {
      const { name } = one.opening as { name: { value?: string } };
      if (verbatim.includes(name.value ?? '')) return;
    }
    if (one.type === 'JSXText' && hasWords(one.value as string))
      found.untranslated.push((one.value as string).trim());
    if (one.type === 'JSXAttribute') {
      const { value: name } = one.name as { value: string };
      const value = one.value as Node | null;
      const given = literal(value?.type === 'JSXExpressionContainer' ? value.expression : value);
      if (readOut.includes(name)) found.untranslated.push(...given.filter(hasWords));
      if (drawnBy.includes(name)) for (const text of given.filter(isText)) found.texts.add(text);
    }
    if (one.type === 'KeyValueProperty') {
      const { value: name } = one.key as { value: unknown };
      if (drawnBy.includes(`${name}`))
        for (const text of literal(one.value).filter(isText)) found.texts.add(text);
    }
    // a column: its heading and its cell
    if (one.type === 'ArrayExpression') {
      const [first, second] = one.elements as ({ expression: Node } | null)[];
      if (second?.expression.type === 'ArrowFunctionExpression')
        for (const text of literal(first?.expression)) found.texts.add(text);
    }
    Object.values(one).forEach(visit);
  };
  visit(parseSync(source, { syntax: 'typescript', tsx: isTsx }).body);
};

/** Returns the rows whose words name other places, such as `{count}`, than their texts. */
export const differingRows = (rows: Readonly<Record<string, string>>) => {
  const places = (text: string) => text.match(/\{\w+\}/g)?.sort() ?? [];
  return Object.entries(rows).filter(
    ([english, words]) => `${places(english)}` !== `${places(words)}`,
  );
};

/** Reads the texts of an application. @param entry its script, relative to the root. */
export const readTexts = async (entry: string): Promise<Found & { files: string[] }> => {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: [entry],
    bundle: true,
    write: false,
    metafile: true,
    outdir: 'unused',
    format: 'esm',
    jsx: 'automatic',
    loader: { '.wasm': 'empty' },
  });
  const found: Found = { texts: new Set(), untranslated: [] };
  const files = Object.keys(metafile.inputs).filter((path) => path.startsWith('console/src/'));
  for (const file of files.filter((path) => !path.includes('german')))
    textsOf(readFileSync(join(root, file), 'utf8'), file.endsWith('x'), found);
  return { ...found, files };
};

/** Runbooks followed to the letter: a line or a command counts only as the page has it. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '@pto/testing';
import { asSuperuser, type DatabaseName } from '../../../e2e/as-superuser.ts';
import type { AlertScene } from './scene.ts';

const folder = new URL('../../../docs/operators/runbooks/', import.meta.url);
const shownRows = 3;

const pageOf = (alert: string): string => readFileSync(new URL(`${alert}.md`, folder), 'utf8');

const requireNamed = (alert: string, text: string): void =>
  assert.ok(pageOf(alert).includes(text), `the runbook of ${alert} names: ${text}`);

/**
 * Waits until the log of a process, or of a store, has a line that the runbook names.
 * @param name of the file in the folder of logs.
 * @param deadlineMs longer for a line that comes after the alert, whose time is shortened here.
 */
export const findInLog = async (
  { stage, stack }: AlertScene,
  alert: string,
  name: string,
  line: string,
  deadlineMs = 30_000,
): Promise<void> => {
  requireNamed(alert, line);
  const log = () => readFileSync(join(stack.dir, 'logs', `${name}.log`), 'utf8');
  await until(() => line.split('…').every((part) => log().includes(part)), {
    deadlineMs,
    what: `the log of ${name} to have the line of ${alert}: ${line}`,
  });
  stage.note(`    ${alert}: the log of ${name} has "${line}"`);
};

/** Runs each `select` of the runbook that stands in a sentence; one of them must return a row. */
export const queryAsIn = async (
  { stage, stack }: AlertScene,
  alert: string,
  database: DatabaseName,
): Promise<void> => {
  const statements = [...pageOf(alert).matchAll(/`(select [^`]+)`/g)].map(([, text]) => text!);
  assert.notEqual(statements.length, 0, `the runbook of ${alert} has a query`);
  for (const text of statements)
    await asSuperuser(stack, database, async (client) => {
      const { rows } = await client.query(text);
      stage.note(`    ${alert}: ${text}`);
      for (const row of rows.slice(0, shownRows)) stage.note(`      ${JSON.stringify(row)}`);
      assert.notEqual(rows.length, 0, `the query of ${alert} returns the cause: ${text}`);
    });
};

/**
 * Runs a command of the operator that the runbook names.
 * @param words as the page has them, with ID and ORDER in place of ids.
 * @param id in place of ID and ORDER.
 */
export const operatorAsIn = async (
  { operator }: AlertScene,
  alert: string,
  words: string,
  id = '',
) => {
  requireNamed(alert, `operator ${words}`);
  return operator(...words.split(' ').map((word) => (/^(?:ID|ORDER)$/.test(word) ? id : word)));
};

/** Runbooks followed to the letter: a line, a query or a command counts only as the page has it. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { until } from '@pto/testing';
import { asSuperuser, type DatabaseName } from '../../../e2e/as-superuser.ts';
import { queryOf, readDashboards } from '../../../tools/dashboards/dashboard.ts';
import { firing } from './alert-watch.ts';
import { type Series, scrapeSeconds } from './prometheus.ts';
import type { AlertScene, RunbookScene } from './scene.ts';

const folder = new URL('../../../docs/operators/runbooks/', import.meta.url);
const shownRows = 3;
/** Until a scrape shows what happens now, with the windows of rates. */
const shownWithinMs = 60_000;

const pageOf = (alert: string): string => readFileSync(new URL(`${alert}.md`, folder), 'utf8');

/** Requires that the page of an alert has a text. The page counts as followed. */
export const requireNamed = (
  { followed }: Pick<RunbookScene, 'followed'>,
  alert: string,
  text: string,
): void => {
  assert.ok(pageOf(alert).includes(text), `the runbook of ${alert} names: ${text}`);
  followed.add(alert);
};

/**
 * Waits until the log of a process, or of a store, has a line that the runbook names, written since
 * the fault began.
 * @param name of the file in the folder of logs.
 * @param deadlineMs longer for a line that comes after the alert, whose time is shortened here.
 */
export const findInLog = async (
  scene: RunbookScene,
  alert: string,
  name: string,
  line: string,
  deadlineMs = 30_000,
): Promise<void> => {
  requireNamed(scene, alert, line);
  await until(() => line.split('…').every((part) => scene.logs(name).includes(part)), {
    deadlineMs,
    what: `the log of ${name} to have the line of ${alert}: ${line}`,
  });
  scene.stage.note(`    ${alert}: the log of ${name} has "${line}"`);
};

/**
 * Runs each `select` of the runbook that stands in a sentence until a row of each shows the cause.
 * @param isCause any row by default.
 */
export const queryAsIn = async (
  scene: RunbookScene,
  alert: string,
  database: DatabaseName,
  isCause: (row: Readonly<Record<string, unknown>>) => boolean = () => true,
): Promise<void> => {
  const { stage, stack } = scene;
  const statements = [...pageOf(alert).matchAll(/`(select [^`]+)`/g)].map(([, text]) => text!);
  assert.notEqual(statements.length, 0, `the runbook of ${alert} has a query`);
  for (const text of statements) {
    requireNamed(scene, alert, text);
    await asSuperuser(stack, database, async (client) => {
      const rows = await until(
        async () => {
          const { rows } = await client.query(text);
          return rows.some(isCause) && rows;
        },
        { what: `the query of ${alert} to return the cause: ${text}` },
      );
      stage.note(`    ${alert}: ${text}`);
      for (const row of rows.slice(0, shownRows)) stage.note(`      ${JSON.stringify(row)}`);
    });
  }
};

/**
 * Waits until a series of a query shows the cause.
 * @returns the series that show it.
 */
const untilSeries = async (
  { stage, monitoring }: RunbookScene,
  what: string,
  expressions: readonly string[],
  isCause: (labels: Series['metric'], value: number) => boolean,
): Promise<Series[]> => {
  const found = await until(
    async () => {
      const results = await Promise.all(expressions.map(monitoring.query));
      const shown = results
        .flat()
        .filter(({ metric, value: [, value] }) => isCause(metric, Number(value)));
      return shown.length > 0 && shown;
    },
    { deadlineMs: shownWithinMs, what: `${what} to show the cause` },
  );
  for (const { metric, value } of found.slice(0, shownRows))
    stage.note(`    ${what}: ${JSON.stringify(metric)} ${value[1]}`);
  return found;
};

/**
 * Waits until a panel that the runbook names in bold shows the cause, by the panel's own queries.
 * @param title as the page has it, without what follows a comma.
 */
export const panelAsIn = (
  scene: RunbookScene,
  alert: string,
  title: string,
  isCause: (labels: Series['metric'], value: number) => boolean,
): Promise<Series[]> => {
  requireNamed(scene, alert, `**${title}**`);
  const panel = readDashboards()
    .flatMap(({ panels }) => panels)
    .find((one) => one.title === title || one.title.startsWith(`${title},`));
  assert.ok(panel, `a dashboard has the panel ${title}`);
  const variables = { namespace: '.*', stepSeconds: scrapeSeconds, scrapeSeconds };
  const expressions = panel.targets.map(({ expr }) => queryOf(expr, variables));
  return untilSeries(scene, `${alert}: the panel ${title}`, expressions, isCause);
};

/** Waits until a metric that the runbook names shows the cause. */
export const metricAsIn = (
  scene: RunbookScene,
  alert: string,
  name: string,
  isCause: (labels: Series['metric'], value: number) => boolean,
): Promise<Series[]> => {
  requireNamed(scene, alert, name);
  return untilSeries(scene, `${alert}: ${name}`, [name], isCause);
};

/** Follows the link of a page to the runbook of another alert, which must fire as well. */
export const pageFires = (scene: RunbookScene, alert: string, other: string): void => {
  requireNamed(scene, alert, `[${other}](${other}.md)`);
  assert.ok(
    firing(scene.monitoring).some((one) => one.alert === other),
    `${other}, which the runbook of ${alert} names, fires`,
  );
};

/**
 * Runs a command of the operator that the runbook names.
 * @param words as the page has them, with ID and ORDER in place of ids.
 * @param id in place of ID and ORDER.
 */
export const operatorAsIn = async (scene: AlertScene, alert: string, words: string, id = '') => {
  requireNamed(scene, alert, `operator ${words}`);
  return scene.operator(
    ...words.split(' ').map((word) => (/^(?:ID|ORDER)$/.test(word) ? id : word)),
  );
};

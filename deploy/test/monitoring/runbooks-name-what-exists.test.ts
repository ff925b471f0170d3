import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { repository } from './monitoring.ts';

const folder = 'docs/operators/runbooks';

/** Source, charts, settings and migrations: what a name of a runbook can come from. */
const source = execFileSync(
  'git',
  ['ls-files', 'services', 'packages', 'operator', 'proto', 'deploy/helm', 'deploy/monitoring'],
  { cwd: repository, encoding: 'utf8' },
)
  .split('\n')
  .filter((path) => /\.(?:ts|ya?ml|tpl|proto|json)$/.test(path) && !/\/(?:test|gen)\//.test(path))
  .map((path) => readFileSync(`${repository}${path}`, 'utf8'))
  .join('\n');
/** Texts that are split over lines count as one. */
const joined = source.replaceAll(/['"`]\s*\+\s*['"`]/g, '');

const panels: string[] = readdirSync(`${repository}deploy/monitoring/dashboards`).flatMap((name) =>
  JSON.parse(readFileSync(`${repository}deploy/monitoring/dashboards/${name}`, 'utf8')).panels.map(
    ({ title }: { title: string }) => title,
  ),
);

/** Names and texts of other programs. */
const foreign = new Set([
  'canceling statement due to lock timeout', // PostgreSQL
  'on-marked-down shutdown-sessions', // HAProxy
  'nodejs_gc_duration_seconds', // prom-client
  'pg_stat_activity',
  'wait_event_type',
  'max_connections',
  'xact_start',
  'Restarting the consumer in …', // KafkaJS
  'Last State', // kubectl
  'Failed to pull image', // the kubelet
]);
/** Bold words that are no panel. */
const emphasis = new Set([
  ...['custody', 'webhooks', 'orders', 'old', 'new'],
  '`valid` does not clear a LedgerFault',
]);

const pages = readdirSync(`${repository}${folder}`).map((name) => ({
  name,
  text: readFileSync(`${repository}${folder}/${name}`, 'utf8').replaceAll(/```[\s\S]*?```/g, ''),
}));

const commands =
  /^(?:operator|kubectl|helm|cmctl|kafka-[a-z-]+\.sh|select|update|grant|alter|chronyc|timedatectl|custody-verify|dlq|GET|POST|PATCH|severity|courier\.)(?![\w.]*_)/;

/** Words that stand for a value; a kind of error or a setting before a message is one, too. */
const placeholder = /^[A-Z_]+: |…|\bORDER\b|\b[NM]\b|\bthe key k2\b|\b\d+\b/;

/** Returns whether each part of the text between its placeholders is in the source. */
const exists = (text: string): boolean =>
  text
    .split(placeholder)
    .map((part) => part.trim())
    .filter((part) => /\w{2}/.test(part))
    .every((part) => joined.includes(part));

test.each(pages)('$name: each panel in bold is one of a dashboard', ({ text }) => {
  const bold = [...text.matchAll(/\*\*([^*]+)\*\*/g)].map(([, name]) => name!);
  const missing = bold
    .filter((name) => !emphasis.has(name))
    .filter((name) => !panels.some((title) => title === name || title.startsWith(`${name},`)));
  expect(missing).toEqual([]);
});

test.each(pages)('$name: each message, metric, setting and column is in the source', ({ text }) => {
  const named = [...text.matchAll(/`([^`\n]+)`/g)].map(([, name]) => name!);
  const missing = named
    .filter((name) => !foreign.has(name) && !commands.test(name))
    .filter((name) => /^[a-zA-Z]+(?:_[a-zA-Z0-9]+)+$/.test(name) || /^\S+(?: \S+){2,}$/.test(name))
    .filter((name) => !exists(name));
  expect(missing).toEqual([]);
});

test('a message that no program writes is reported', () => {
  expect(exists('the log contradicts a checkpoint: nothing is appended')).toBe(true);
  expect(exists('the log contradicts the checkpoint')).toBe(false);
  expect(exists('custody_audit_leafs')).toBe(false);
});

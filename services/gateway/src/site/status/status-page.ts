import { escapeHtml } from '@pto/certificate';
import { shownDuration, table } from '../html.ts';
import type { PageParts } from '../page-parts.ts';
import { type Component, degradedFrom, type State } from './probes.ts';
import type { Status } from './status.ts';

/** PageParts the parts of the page /status. */
export const statusFills = (read: () => Promise<Status>): PageParts => ({
  'status-summary': async () => summaryOf(await read()),
  'status-components': async () => componentsOf(await read()),
  'status-objectives': async () => objectivesOf(await read()),
});

const names: Readonly<Record<Component['name'], string>> = {
  api: 'API',
  orders: 'Orders',
  custody: 'Custody ledger',
  webhooks: 'Webhooks',
};

const stateNames: Readonly<Record<State, string>> = {
  available: 'Available',
  degraded: 'Degraded',
  unavailable: 'Unavailable',
};

const summaries: Readonly<Record<State, string>> = {
  available: 'All components are available.',
  degraded: 'At least one component is degraded.',
  unavailable: 'At least one component is unavailable.',
};

const state = (one: State): string => `<span class="state ${one}">${stateNames[one]}</span>`;

const summaryOf = ({ status, checked_at: checkedAt }: Status): string =>
  `<p role="status">${state(status)} ${summaries[status]} Checked at <time datetime="${escapeHtml(checkedAt)}">${shownTime(checkedAt)}</time>.</p>`;

const shownTime = (time: string): string =>
  `${escapeHtml(time.slice(0, 10))} ${escapeHtml(time.slice(11, 19))} UTC`;

const componentsOf = ({ components }: Status): string =>
  table(
    'Components',
    ['Component', 'State', 'Measured'],
    components.map((one) => [names[one.name], state(one.status), measuredOf(one)]),
  ) + meaning;

const meaning = `<p>Degraded: orders can be read and not changed, entries of the custody ledger have waited ${shownDuration(degradedFrom.waitingForCheckpoint)} for their checkpoint, or a delivery to a healthy endpoint has been due for ${shownDuration(degradedFrom.oldestDueDelivery)}. A component that works for some organizations only is degraded, too. The age of the newest checkpoint grows while there are no new entries.</p>`;

const measuredOf = (one: Component): string => {
  if (one.name === 'webhooks') return oldestDue(one.oldest_due_delivery_seconds);
  if (one.name !== 'custody') return '';
  const age = one.newest_checkpoint_age_seconds;
  const waiting = one.waiting_for_checkpoint_seconds ?? 0;
  return [
    ...(age === null ? [] : [`The newest checkpoint was signed ${age} s ago.`]),
    ...(waiting > 0 ? [`Entries have waited ${waiting} s for a checkpoint.`] : []),
  ].join(' ');
};

const oldestDue = (seconds: number | null): string => {
  if (seconds === null) return '';
  return seconds === 0
    ? 'No delivery is overdue.'
    : `The oldest overdue delivery has been due for ${seconds} s.`;
};

const objectiveNames: Readonly<Record<Status['objectives'][number]['name'], string>> = {
  api_availability: 'Requests that are not answered with 5xx',
  read_latency: 'Answered reads within 250 ms',
  write_latency: 'Answered writes within 500 ms',
  time_to_webhook: 'First attempts of webhooks within 5 s',
};

const objectivesOf = (status: Status): string => {
  const rows = status.objectives.map(({ name, target, share }) => [
    objectiveNames[name],
    percent(target),
    share === null ? 'not known' : percent(share),
  ]);
  const note = status.objectives_are_measured
    ? ''
    : '<p>The operator of this environment does not publish the measured shares.</p>';
  return table('Objectives', ['What', 'Objective', 'Last 30 days'], rows) + note;
};

/** Rounded down, so that a missed objective is not shown as reached. */
const percent = (share: number): string => `${Math.floor(share * 100_000 + 1e-6) / 1000} %`;

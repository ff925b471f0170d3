import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '@pto/testing';
import type { Expected } from '../alerts/alert-watch.ts';
import type { Notice } from '../alerts/notifications.ts';
import type { Stage } from '../stage/rehearsal.ts';
import type { Cluster } from './cluster.ts';
import type { Pages } from './pages.ts';
import type { ReleaseChoice } from './release.ts';

const listedWithinMs = 120_000;
const listEveryMs = 1000;

/** What the faults on the cluster act on. */
export interface ClusterScene {
  readonly on: Cluster;
  readonly stage: Stage;
  /** Runs a command of a page. */
  readonly follow: Pages;
  /** Upgrades the release with further settings. Without `wait` Helm runs no Job and ends before the pods are ready. */
  readonly upgrade: (choice: ReleaseChoice & { readonly wait?: boolean }) => Promise<void>;
  /**
   * Begins an upgrade as upgrade.md says, to a release whose pods do not become ready.
   * @returns what ends Helm, which still waits for them, as Ctrl-C does.
   */
  readonly upgradeInVain: (setting: string) => () => Promise<void>;
}

/** One real fault, with the alerts that it must fire. */
export interface ClusterFault {
  readonly what: string;
  readonly alerts: readonly Expected[];
  /**
   * Begins the fault.
   * @returns what follows the runbook of the first alert until the cause is removed.
   */
  readonly begin: (scene: ClusterScene) => Promise<(notice: Notice) => Promise<void>>;
}

/**
 * Lists pods with the command of a page until one is as the page says.
 * @param row a line of the list, whose first group is the name of the pod.
 */
export const podAsListed = (
  { follow }: ClusterScene,
  page: string,
  command: string,
  row: RegExp,
  words: Readonly<Record<string, string>> = {},
): Promise<string> =>
  until(
    async () => {
      const [, name] = row.exec(await follow(page, command, words)) ?? [];
      if (name === undefined) await sleep(listEveryMs);
      return name;
    },
    { deadlineMs: listedWithinMs, what: `a pod in the list of ${page}: ${row}` },
  );

/**
 * Reads why a container ended, with the command of a page. The command is repeated as the page says,
 * because the kubelet removes a log when the container has ended again.
 * @returns the message of the last line. @throws Error if that line is not at `fatal`.
 */
export const lastFatal = ({ follow }: ClusterScene, page: string, pod: string): Promise<string> =>
  until(
    async () => {
      const printed = await follow(page, 'kubectl logs POD --previous --tail=20', { POD: pod });
      if (printed.startsWith('unable to retrieve container logs')) {
        await sleep(listEveryMs);
        return undefined;
      }
      const last = JSON.parse(printed.trim().split('\n').at(-1)!) as { level: string; msg: string };
      assert.equal(last.level, 'fatal', 'the level of the last line');
      return last.msg;
    },
    { deadlineMs: listedWithinMs, what: `the line at fatal of ${pod}` },
  );

/** Restarts a process with the commands of the page "in the cluster". */
export const restartAsIn = async ({ follow }: ClusterScene, process: string): Promise<void> => {
  const words = { NAME: process };
  await follow('README', 'kubectl rollout restart deployment/NAME', words);
  await follow('README', 'kubectl rollout status deployment/NAME --timeout=10m', words);
};

/**
 * Goes back to the release before a failed upgrade, with the commands of a page: to the revision that
 * the page "upgrade" names.
 */
export const rollBackAsIn = async ({ follow }: ClusterScene, page: string): Promise<void> => {
  const history = await follow(page, 'helm history partner-api');
  const revisions = [
    ...history.matchAll(/^(\d+)\s.*?\s(deployed|superseded|failed|pending-\S+)\s/gm),
  ];
  const good = revisions
    .slice(0, -1)
    .findLast(([, , status]) => /^(?:deployed|superseded)$/.test(status!));
  assert.equal(good?.[2], 'deployed', 'the good revision is deployed until an upgrade succeeds');
  await follow(page, 'helm rollback partner-api REVISION --wait --timeout 15m', {
    REVISION: good[1]!,
  });
};

/** What Alertmanager sends to this process, as it sends it to an operator's pager. */
import { createServer } from 'node:http';
import { freePorts } from '@pto/stores';
import type { Stage } from '../stage/rehearsal.ts';

type Labels = Readonly<Record<string, string>>;

/** An alert of which Alertmanager has sent a notification. */
export interface Fired {
  readonly alert: string;
  readonly severity: string;
  /** Time of `performance.now()`. */
  readonly at: number;
}

/** One notification: an alert with these labels begins to fire, or no longer fires. */
export interface Notice {
  readonly alert: string;
  readonly status: 'firing' | 'resolved';
  readonly labels: Labels;
  /** Time of `performance.now()`. */
  readonly at: number;
}

interface Notification {
  readonly alerts: readonly {
    readonly status: 'firing' | 'resolved';
    readonly labels: Labels;
  }[];
}

/**
 * Opens the receiver of notifications.
 * @returns its URL, the first firing of each alert and severity, and all notifications in order.
 */
export const openReceiver = async (stage: Stage) => {
  const fired: Fired[] = [];
  const notices: Notice[] = [];
  const receiver = createServer((request, response) => {
    let text = '';
    request.on('data', (part) => {
      text += part;
    });
    request.on('end', () => {
      for (const { status, labels } of (JSON.parse(text) as Notification).alerts) {
        const { alertname: alert = '', severity = '' } = labels;
        const at = performance.now();
        notices.push({ alert, status, labels, at });
        const known = fired.some((one) => one.alert === alert && one.severity === severity);
        if (status === 'firing' && !known) fired.push({ alert, severity, at });
      }
      response.end();
    });
  });
  const [port = 0] = await freePorts(1);
  await new Promise<void>((resolve) => receiver.listen(port, '127.0.0.1', resolve));
  stage.atEnd(() => void receiver.close());
  return {
    url: `http://127.0.0.1:${port}`,
    fired: fired as readonly Fired[],
    notices: notices as readonly Notice[],
  };
};

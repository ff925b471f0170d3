import { useState } from 'react';
import { Field, FormWindow } from '../window.tsx';
import { t } from '../words.ts';
import type { EndpointSource } from './source.ts';

type Span = Parameters<EndpointSource['recover']>[1];

/** A time as a field of a form shows it, in UTC, to the second. */
const shown = (ms: number): string => new Date(ms).toISOString().slice(0, 19);

/** The time of a field; empty: none. */
const timeOf = (fields: FormData, name: string): string => {
  const text = fields.get(name)!.toString();
  return text === '' ? '' : new Date(`${text}Z`).toISOString();
};

/**
 * Queues again what an endpoint has not received in a span of time, 1000 events with each call.
 * Events that are queued or delivered are left out, so that a repetition queues nothing twice. What
 * waits for a retry is attempted now, if the person wants it.
 * @param sinceMs the beginning of the span that the form proposes.
 */
export const Recover = ({
  recover,
  sinceMs,
  onClose,
  onDone,
}: {
  recover: (span: Span) => ReturnType<EndpointSource['recover']>;
  sinceMs: number;
  onClose: () => void;
  onDone: (result: string) => Promise<void>;
}) => {
  const [progress, setProgress] = useState('');
  const submit = async (fields: FormData) => {
    const until = timeOf(fields, 'until') || null;
    const include_pending = fields.has('pending');
    let [queued, retried] = [0, 0];
    for (let since = timeOf(fields, 'since'); since !== ''; ) {
      const page = await recover({ since, until, include_pending });
      queued += page.queued;
      retried += page.retried;
      since = page.next_since ?? '';
      setProgress(t('{queued} events queued, up to {until}', { queued, until: page.until }));
    }
    const events = queued === 1 ? t('1 event queued.') : t('{queued} events queued.', { queued });
    await onDone(
      include_pending ? `${events} ${t('{retried} pending attempted.', { retried })}` : events,
    );
  };
  return (
    <FormWindow title={t('Recover')} verb="Recover" isRepeatable onClose={onClose} submit={submit}>
      <p>
        {t(
          'Events of this span that were not delivered are queued again: failed deliveries, and what was missed while the endpoint was broken or disabled.',
        )}
      </p>
      <Field
        label="Since (UTC)"
        name="since"
        type="datetime-local"
        step={1}
        defaultValue={shown(sinceMs)}
        required
      />
      <Field
        label="Until (UTC)"
        name="until"
        type="datetime-local"
        step={1}
        hint="Empty: until now."
      />
      <label>
        <input type="checkbox" name="pending" /> {t('Also attempt now what waits for a retry')}
      </label>
      {progress !== '' && <p role="status">{progress}</p>}
    </FormWindow>
  );
};

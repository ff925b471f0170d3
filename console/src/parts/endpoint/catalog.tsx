import {
  type EventName,
  eventCatalog,
  exampleAt,
  exampleBaseUrl,
  testEventJson,
} from '@pto/representation';
import { useState } from 'react';
import { Answer } from '../attempts.tsx';
import { Choice } from '../choice.tsx';
import { duration } from '../duration.ts';
import { Problem } from '../problem.tsx';
import { useCommand } from '../use-command.ts';
import { Window } from '../window.tsx';
import { t } from '../words.ts';
import type { EndpointSource } from './source.ts';

const events = Object.entries(eventCatalog) as [EventName, readonly [string, string]][];

const Example = ({ of }: { of: EventName }) => (
  <pre>{JSON.stringify(testEventJson(of, exampleAt, exampleBaseUrl), null, 2)}</pre>
);

/**
 * The public events with a sentence and an example each, chosen by boxes; all are the default. A test
 * request passes any filter.
 */
export const EventFilter = ({ filter }: { filter: readonly string[] | null | undefined }) => {
  const [isAll, setAll] = useState(!filter);
  return (
    <fieldset className="scopes">
      <legend>{t('Events')}</legend>
      <label>
        <input
          type="checkbox"
          name="all"
          checked={isAll}
          onChange={({ target }) => setAll(target.checked)}
        />{' '}
        {t('All events, also those that are added later')}
      </label>
      {!isAll &&
        events.flatMap(([event, [meaning]]) =>
          event === 'order.test' ? (
            []
          ) : (
            <div key={event}>
              <label>
                <input
                  type="checkbox"
                  name="event"
                  value={event}
                  defaultChecked={filter?.includes(event) ?? false}
                />{' '}
                <code>{event}</code> {t(meaning)}
              </label>
              <details>
                <summary>{t('Example of {event}', { event })}</summary>
                <Example of={event} />
              </details>
            </div>
          ),
        )}
    </fieldset>
  );
};

/** The filter of a form; null: all events. */
export const filterOf = (fields: FormData): EventName[] | null =>
  fields.has('all') ? null : (fields.getAll('event') as EventName[]);

type Send = NonNullable<EndpointSource['sendExample']>;

/** Shows the example of an event, sends it to the endpoint, and shows the response. */
export const ExampleWindow = ({
  send,
  onClose,
}: {
  send: (event: string) => ReturnType<Send>;
  onClose: () => void;
}) => {
  const [event, setEvent] = useState<EventName>('order.submitted');
  const [sent, setSent] = useState<Awaited<ReturnType<Send>>>();
  const { error, isBusy, run } = useCommand(() => {});
  return (
    <Window title={t('Send an example')} onClose={onClose} isBusy={isBusy}>
      <p>
        {t(
          'It is sent once, signed, and marked as a test: data.test is true, and its order does not exist.',
        )}
      </p>
      <Choice
        label="Event"
        value={event}
        onChange={({ target }) => {
          setEvent(target.value as EventName);
          setSent(undefined);
        }}
        options={events.map(([name, [meaning]]) => [name, `${name}: ${t(meaning)}`] as const)}
      />
      <Example of={event} />
      <div className="actions start">
        <button
          type="button"
          disabled={isBusy}
          onClick={() => run(async () => setSent(await send(event)))}
        >
          {isBusy ? t('Wait …') : t('Send this example')}
        </button>
      </div>
      {error !== undefined && <Problem error={error} />}
      {sent && !isBusy && (
        <div role="status">
          <p className={sent.delivered ? 'good' : 'bad'}>
            {t(sent.delivered ? 'Delivered: {answer}.' : 'Not delivered: {answer}.', {
              answer: `${sent.status_code ?? sent.error}, ${duration(sent.duration_ms / 1000)}`,
            })}
          </p>
          <Answer of={sent} />
        </div>
      )}
    </Window>
  );
};

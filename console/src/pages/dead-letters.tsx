import type { DeadLetter } from '@pto/proto/bus/v1/dead_letter';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { clients, type Process, processes } from '../calls/clients.ts';
import { PageFailure } from '../calls/failure.ts';
import { useCall } from '../calls/use-call.ts';
import { useMay } from '../parts/me.ts';
import { type Column, Table } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { Confirm, Field, FormWindow } from '../parts/window.tsx';

interface Parked {
  readonly process: Process;
  readonly letter: DeadLetter;
}

interface Page {
  readonly parked: readonly Parked[];
  readonly hasMore: boolean;
}

/**
 * Messages that a service could not handle, and those that it rejected. Later events of the same order
 * wait behind a parked one.
 */
export const DeadLettersPage = () => {
  const may = useMay();
  const queries = useQueryClient();
  const [replaying, setReplaying] = useState<Parked>();
  const [discarding, setDiscarding] = useState<Parked>();
  const query = useCall(['dead letters'], () =>
    Promise.all(
      processes.map(async (process): Promise<Page> => {
        const { deadLetters, nextId } = await clients.deadLetters[process].listDeadLetters({});
        const parked = deadLetters.map((letter) => ({ process, letter }));
        return { parked, hasMore: nextId !== '' };
      }),
    ),
  );
  const changed = () => queries.invalidateQueries({ queryKey: ['dead letters'] });
  const columns: readonly Column<Parked>[] = [
    ['Service', ({ process }) => process],
    [
      'State',
      ({ letter }) =>
        letter.rejected ? (
          <span className="badge bad" title="No valid proof of origin; nothing waits behind it.">
            rejected
          </span>
        ) : (
          <span className="badge moving">parked</span>
        ),
    ],
    ['Event', ({ letter }) => letter.eventType],
    ['Key', ({ letter }) => letter.key],
    ['Why', ({ letter }) => letter.reason],
    ['Where', ({ letter }) => `${letter.topic} ${letter.partition}:${letter.offset}`],
    ['Parked', ({ letter }) => <Time at={letter.parkedAt} />],
    [
      'Actions',
      (parked) =>
        may('dispatcher') && (
          <>
            <button type="button" className="quiet" onClick={() => setReplaying(parked)}>
              Replay
            </button>
            <button type="button" className="quiet danger" onClick={() => setDiscarding(parked)}>
              Discard
            </button>
          </>
        ),
    ],
  ];
  return (
    <>
      <h1>Dead letters</h1>
      <Table
        query={query}
        rows={(all) => all.flatMap(({ parked }) => parked)}
        id={({ letter }) => letter.id}
        columns={columns}
        caption="Dead letters"
        empty="No message is parked or rejected."
      />
      {query.data?.some(({ hasMore }) => hasMore) && (
        <p className="faint">
          There are more. <code>operator dlq list --limit 0</code> lists all.
        </p>
      )}
      {replaying && (
        <Confirm
          title="Replay the message"
          text="The message is handled again, then those that wait behind it."
          onClose={() => setReplaying(undefined)}
          actions={{
            Replay: async () => {
              const { process, letter } = replaying;
              const done = await clients.deadLetters[process].replayDeadLetter({ id: letter.id });
              await changed();
              if (done.failedId !== '') throw new PageFailure(`It failed again: ${done.reason}`);
            },
          }}
        />
      )}
      {discarding && (
        <FormWindow
          title="Discard the message"
          verb="Discard"
          isDangerous
          onClose={() => setDiscarding(undefined)}
          submit={async (fields) => {
            const { process, letter } = discarding;
            const reason = fields.get('reason')!.toString();
            await clients.deadLetters[process].discardDeadLetter({ id: letter.id, reason });
            await changed();
          }}
        >
          <p>The message never takes effect. This cannot be undone.</p>
          <Field label="Reason" name="reason" maxLength={500} required />
        </FormWindow>
      )}
    </>
  );
};

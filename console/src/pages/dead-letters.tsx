import type { DeadLetter } from '@pto/proto/bus/v1/dead_letter';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useOrderName } from '../board/use-order-name.ts';
import { clients, type Process, processes } from '../calls/clients.ts';
import { PageFailure } from '../calls/failure.ts';
import { useCall } from '../calls/use-call.ts';
import { CheckedAt } from '../parts/checked-at.tsx';
import { counted } from '../parts/counted.ts';
import { LinkedText } from '../parts/linked-text.tsx';
import { useMay } from '../parts/me.ts';
import { QuietButton } from '../parts/quiet-button.tsx';
import { type Column, Table } from '../parts/table.tsx';
import { Text } from '../parts/text.tsx';
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
  const columns: readonly Column<Parked>[] = [
    [
      'Message',
      ({ letter }) => (
        <>
          <strong>
            <Text of={letter.eventType} />
          </strong>
          <div className="faint">
            of <OrderOf of={letter} />
          </div>
        </>
      ),
    ],
    ['Why', ({ letter }) => letter.reason],
    [
      'State',
      ({ letter }) => (
        <>
          {letter.rejected ? (
            <span className="badge bad">rejected</span>
          ) : (
            <span className="badge warn">parked</span>
          )}{' '}
          <span className="faint">
            <Time at={letter.parkedAt} />
          </span>
        </>
      ),
      'state',
    ],
    [
      'Where',
      ({ process, letter }) => (
        <>
          {process}
          <div className="faint long">
            {letter.topic} {letter.partition}:{String(letter.offset)}
          </div>
        </>
      ),
      'dropped',
    ],
    [
      'Actions',
      (parked) =>
        may('dispatcher') && (
          <>
            <QuietButton onClick={() => setReplaying(parked)}>Replay</QuietButton>
            <QuietButton className="danger" onClick={() => setDiscarding(parked)}>
              Discard
            </QuietButton>
          </>
        ),
    ],
  ];
  const all = query.data?.flatMap((one) => one.parked) ?? [];
  const parked = all.filter(({ letter }) => !letter.rejected).length;
  return (
    <>
      <h1>Dead letters</h1>
      {query.isSuccess && all.length === 0 && (
        <p className="verdict good" role="status">
          No message is parked or rejected. <CheckedAt query={query} />
        </p>
      )}
      {all.length > 0 && (
        <p>
          {[
            parked > 0 &&
              `${counted(parked, 'message is', 'messages are')} parked: later events of the same order wait behind it.`,
            all.length > parked &&
              `${counted(all.length - parked, 'message was', 'messages were')} rejected without a valid proof of origin: nothing waits behind it.`,
          ]
            .filter(Boolean)
            .join(' ')}
        </p>
      )}
      <Table
        query={query}
        rows={() => all}
        id={({ letter }) => letter.id}
        columns={columns}
        caption="Dead letters"
        empty="A message that a service cannot handle is parked here until it is replayed or discarded."
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
              await queries.invalidateQueries({ queryKey: ['dead letters'] });
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
          changes={[['dead letters']]}
          onClose={() => setDiscarding(undefined)}
          submit={async (fields) => {
            const { process, letter } = discarding;
            const reason = fields.get('reason')!.toString();
            await clients.deadLetters[process].discardDeadLetter({ id: letter.id, reason });
          }}
        >
          <p>The message never takes effect. This cannot be undone.</p>
          <Field label="Reason" name="reason" maxLength={500} required />
        </FormWindow>
      )}
    </>
  );
};

/** The key of a message about an order is the order's id. */
const OrderOf = ({ of: { key } }: { of: DeadLetter }) => {
  const nameOf = useOrderName();
  const at = /^[\da-f]{8}-[\da-f-]{27}$/.test(key) ? `/orders/${key}` : undefined;
  return <LinkedText of={at ? `order ${nameOf(key)}` : key} at={at} title={key} />;
};

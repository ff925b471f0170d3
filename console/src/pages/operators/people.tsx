import type { Operator } from '@pto/proto/operators/v1/operators';
import { useContext, useState } from 'react';
import { clients } from '../../calls/clients.ts';
import { everyPage } from '../../calls/every-page.ts';
import { useCall } from '../../calls/use-call.ts';
import { LinkedText } from '../../parts/linked-text.tsx';
import { Me, useMay } from '../../parts/me.ts';
import { type Column, Table } from '../../parts/table.tsx';
import { MinuteTime, Time } from '../../parts/time.tsx';
import { Confirm } from '../../parts/window.tsx';

/** Reads the people who signed in, at most 2,000. */
export const usePeople = () =>
  useCall(['operators'], () =>
    everyPage(async (afterId) => {
      const { operators, nextId } = await clients.operators.listOperators({ afterId });
      return { rows: operators, nextId };
    }),
  );

/** People who signed in with the OpenID provider; an administrator blocks them. */
export const People = () => {
  const may = useMay();
  const me = useContext(Me);
  const [asked, setAsked] = useState<Operator>();
  const query = usePeople();
  const columns: readonly Column<Operator>[] = [
    [
      'Name',
      ({ id, name }) => (
        <>
          <LinkedText
            of={name}
            at={may('auditor') ? `/audit?operator=${id}` : ''}
            title="Its actions in the audit log"
          />{' '}
          {id === me?.id && <span className="badge good">this is you</span>}
        </>
      ),
    ],
    ['Roles', ({ roles }) => roles.join(', ') || <span className="faint">none</span>],
    ['Provider', ({ issuer }) => issuer, 'dropped'],
    ['First seen', ({ firstSeenAt }) => <Time at={firstSeenAt} />, 'dropped'],
    ['Last seen', ({ lastSeenAt }) => <MinuteTime at={lastSeenAt} />, 'named'],
    [
      'State',
      ({ blockedAt, blockedBy }) =>
        blockedAt === '' ? (
          <span className="badge good">may sign in</span>
        ) : (
          <span className="badge bad">blocked by {blockedBy}</span>
        ),
      'state',
    ],
    [
      'Actions',
      (operator) =>
        may('admin') &&
        operator.id !== me?.id && (
          <button
            type="button"
            className={operator.blockedAt === '' ? 'quiet danger' : 'quiet'}
            onClick={() => setAsked(operator)}
          >
            {verbOf(operator)}
          </button>
        ),
    ],
  ];
  return (
    <section aria-label="People">
      <h2>People</h2>
      <Table
        query={query}
        rows={(all) => all}
        columns={columns}
        caption="People"
        empty="Nobody has signed in with an OpenID provider."
      />
      {asked && (
        <Confirm
          title={`${verbOf(asked)}: ${asked.name}`}
          text={
            asked.blockedAt === ''
              ? 'The next request of this person is rejected, in every browser and command line.'
              : 'The person may sign in again, with the roles of the provider.'
          }
          isDangerous={asked.blockedAt === ''}
          onClose={() => setAsked(undefined)}
          changes={[['operators']]}
          actions={{
            [verbOf(asked)]: () =>
              asked.blockedAt === ''
                ? clients.operators.blockOperator({ id: asked.id })
                : clients.operators.unblockOperator({ id: asked.id }),
          }}
        />
      )}
    </section>
  );
};

const verbOf = ({ blockedAt }: Operator): string => (blockedAt === '' ? 'Block' : 'Unblock');

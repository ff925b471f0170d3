import type { Token } from '@pto/proto/operators/v1/operators';
import { useContext, useState } from 'react';
import { clients } from '../../calls/clients.ts';
import { everyPage } from '../../calls/every-page.ts';
import { useCall } from '../../calls/use-call.ts';
import { Me, useMay } from '../../parts/me.ts';
import { QuietButton } from '../../parts/quiet-button.tsx';
import { SecretWindow } from '../../parts/secret-window.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Text } from '../../parts/text.tsx';
import { MinuteTime, Time } from '../../parts/time.tsx';
import { useMinute } from '../../parts/use-minute.ts';
import { Confirm } from '../../parts/window.tsx';
import { IssueToken } from './issue-token.tsx';

/** Reads the personal tokens, at most 2,000. */
export const useTokens = () =>
  useCall(['tokens'], () =>
    everyPage(async (afterId) => {
      const { tokens, nextId } = await clients.operators.listTokens({ afterId });
      return { rows: tokens, nextId };
    }),
  );

/** Personal tokens with their roles; an administrator issues and revokes them. */
export const Tokens = () => {
  const may = useMay();
  const me = useContext(Me);
  const [isIssuing, setIssuing] = useState(false);
  const [secret, setSecret] = useState('');
  const [revoked, setRevoked] = useState<Token>();
  const query = useTokens();
  const columns: readonly Column<Token>[] = [
    [
      'Name',
      ({ id, name, last4 }) => (
        <>
          <strong>
            <Text of={name} />
          </strong>{' '}
          <code className="faint">…{last4}</code>{' '}
          {id === me?.id && <span className="badge good">this session</span>}
        </>
      ),
    ],
    ['Roles', ({ roles }) => roles.join(', ')],
    ['Last use', ({ lastUsedAt }) => <MinuteTime at={lastUsedAt} />, 'named'],
    ['Issued', ({ createdAt, createdBy }) => <Issued at={createdAt} by={createdBy} />, 'named'],
    ['State', (token) => <State of={token} />, 'state'],
    [
      'Actions',
      (token) =>
        may('admin') &&
        token.revokedAt === '' && (
          <QuietButton className="danger" onClick={() => setRevoked(token)}>
            Revoke
          </QuietButton>
        ),
    ],
  ];
  return (
    <section aria-label="Tokens">
      <div className="bar">
        <h2>Tokens</h2>
        {may('admin') && (
          <button type="button" onClick={() => setIssuing(true)}>
            Issue a token
          </button>
        )}
      </div>
      <Table
        query={query}
        rows={(all) =>
          all
            .toReversed()
            .toSorted(
              (a, b) => Number(isOver(a)) - Number(isOver(b)) || a.name.localeCompare(b.name),
            )
        }
        columns={columns}
        caption="Tokens"
        empty="No token was issued."
      />
      {isIssuing && <IssueToken onClose={() => setIssuing(false)} onDone={setSecret} />}
      <SecretWindow
        title="The new token"
        text="Hand it to its owner now. Nobody can read it again."
        secret={secret}
        onClose={() => setSecret('')}
      />
      {revoked && (
        <Confirm
          title="Revoke the token"
          text={`The token ${revoked.name} …${revoked.last4} and its sessions are rejected from the next request on. This cannot be undone.`}
          isDangerous
          onClose={() => setRevoked(undefined)}
          changes={[['tokens']]}
          actions={{ Revoke: () => clients.operators.revokeToken({ id: revoked.id }) }}
        />
      )}
    </section>
  );
};

/** Those that are over stand last, and those of one name together. */
const isOver = ({ revokedAt, expiresAt }: Token): boolean =>
  revokedAt !== '' || Date.parse(expiresAt) <= Date.now();

const Issued = ({ at, by }: { at: string; by: string }) => (
  <>
    <Time at={at} /> by {by}
  </>
);

/** A token that was issued for longer, and ends within it, is marked. */
const dayMs = 86_400_000;

/** The day of a time, in UTC. */
const dayOf = (at: string | number): string => new Date(at).toISOString().slice(0, 10);

const State = ({ of: { revokedAt, revokedBy, createdAt, expiresAt } }: { of: Token }) => {
  const now = useMinute();
  if (revokedAt !== '')
    return (
      <>
        <span className="badge ended">revoked by {revokedBy}</span>{' '}
        <span className="faint">
          <Time at={revokedAt} />
        </span>
      </>
    );
  const leftMs = Date.parse(expiresAt) - now;
  const isShort = Date.parse(expiresAt) - Date.parse(createdAt) <= dayMs;
  const [tone, words] =
    leftMs <= 0
      ? ['ended', 'ended']
      : leftMs < dayMs
        ? [
            isShort ? 'good' : 'warn',
            dayOf(now) === dayOf(expiresAt) ? 'ends today' : 'ends tomorrow',
          ]
        : ['good', `until ${dayOf(expiresAt)}`];
  return (
    <>
      <span className={`badge ${tone}`}>{words}</span>{' '}
      <span className="faint">
        <Time at={expiresAt} />
      </span>
    </>
  );
};

import type { Action } from '@pto/proto/operators/v1/operators';
import { wordOf } from '../../parts/badge.tsx';
import { Copy } from '../../parts/copy.tsx';
import { LinkedText } from '../../parts/linked-text.tsx';
import { Fact } from '../../parts/order-facts.tsx';
import type { Column } from '../../parts/table.tsx';
import { Text } from '../../parts/text.tsx';
import { Moment } from '../../parts/time.tsx';
import { rich } from '../../parts/words.ts';
import { createdBy, wordsOf } from './actions.ts';
import { Named } from './names.tsx';

type Names = ReadonlyMap<string, string>;

/** The calls of one act of an operator, the first one first: of one page in one second. */
export type Act = readonly [Action, ...Action[]];

export const actsOf = (actions: readonly Action[]): readonly Act[] =>
  [
    ...Map.groupBy(actions.toReversed(), ({ requestId, operatorId, at }) =>
      [requestId, operatorId, at.slice(0, 'yyyy-mm-ddThh:mm:ss'.length)].join(' '),
    ).values(),
  ].toReversed() as unknown as readonly Act[];

/** When, who and what, as a sentence for each call. */
export const columnsWith = (names: Names): readonly Column<Act>[] => [
  ['When', ([{ at }]) => <Moment at={at} />, 'detail'],
  [
    'Operator',
    ([{ operatorId: id, operatorName }]) => (
      <LinkedText
        of={operatorName}
        at={id && `/audit?operator=${id}`}
        className="order"
        title="All actions"
      />
    ),
  ],
  [
    'Action',
    (act) =>
      act.map((one) => (
        <div key={one.id}>
          <Sentence of={one} names={names} />
        </div>
      )),
    'title',
  ],
];

/** An outcome that is not `ok`, in words: what the sentence says did not happen, or nobody knows. */
const outcomeOf = (outcome: string): string =>
  outcome === 'unknown' ? 'result unknown' : `not done: ${wordOf(outcome)}`;

const Sentence = ({
  of: { rpc, target, createdId, outcome },
  names,
}: {
  of: Action;
  names: Names;
}) => {
  const named = (kind: string, id: string) =>
    id === '' ? '' : <Named kind={kind} id={id} names={names} />;
  const words = wordsOf(rpc);
  const kind = /\{(\w+)\}/.exec(words)?.[1] ?? '';
  const created = createdBy(rpc);
  const isNamed = kind === 'created' && createdId !== '';
  return (
    <>
      {outcome !== 'ok' && (
        <>
          <span className={`badge ${outcome === 'unknown' ? 'warn' : 'bad'}`}>
            {outcomeOf(outcome)}
          </span>{' '}
        </>
      )}
      {rich(words, {
        [kind]: named(kind === 'created' ? created : kind, isNamed ? createdId : target),
      })}
      {createdId !== '' && !isNamed && (
        <span className="faint">
          {' '}
          ({created} {named(created, createdId)})
        </span>
      )}
    </>
  );
};

/** The call as the services had it. */
export const Call = ({ of }: { of: Action }) => (
  <>
    <dl className="facts">
      <Fact name="At">
        <Moment at={of.at} />
      </Fact>
      <Fact name="Call">
        <code>{of.rpc}</code>
        {of.durationMs !== undefined && ` in ${of.durationMs} ms`}
      </Fact>
      <Id label="Target" id={of.target} />
      <Id label="Created" id={of.createdId} />
      <Id label="Operator" id={of.operatorId} />
      <Fact name="Roles">
        {of.roles.join(', ')}
        {of.credential && ` by ${of.credential === 'oidc' ? 'OpenID Connect' : 'token'}`}
      </Fact>
      {of.clientAddress !== '' && <Fact name="From">{of.clientAddress}</Fact>}
      <Id label="Request id" id={of.requestId} />
    </dl>
    {of.request.length > 2 && (
      <pre>
        <Text of={of.request} />
      </pre>
    )}
  </>
);

const Id = ({ label, id }: { label: string; id: string }) =>
  id === '' ? null : (
    <Fact name={label}>
      <Copy text={id} />
    </Fact>
  );

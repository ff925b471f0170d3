import { wordOf } from '../parts/badge.tsx';
import { telephoneUrl } from '../parts/telephone-url.ts';
import { Text } from '../parts/text.tsx';
import { t } from '../parts/words.ts';
import { type Reason, textOf } from './failure-words.ts';
import type { DriverRecord, OfOrder } from './records.ts';
import type { Shift } from './shift.ts';
import { done } from './step-words.ts';
import { when } from './when.ts';

const states = {
  waiting: () => t('not sent'),
  sent: () => t('sent'),
  kept: () => t('not applied'),
  rejected: () => t('not accepted'),
};

/** What the driver has recorded of an order, the newest first, and what became of it. */
export const RecordList = ({ records, shift }: Omit<OfOrder, 'known'>) => (
  <ol className="records" reversed>
    {records.toReversed().map((record) => (
      <li key={record.number} className={`of-${record.state}`}>
        <Text of={done(record.step)} />
        <span className="state">
          {when(record.at)}, {states[record.state]()}
        </span>
        {record.failure && <Explained of={record} shift={shift} />}
      </li>
    ))}
  </ol>
);

/** Why a record could not be applied, where it is, and whom to call. */
const Explained = ({ of: { failure, state }, shift }: { of: DriverRecord; shift: Shift }) => {
  const { kind, entry, status, message, missing = [] } = failure!;
  const why = () => {
    if (state === 'waiting') return t('The answer is: {answer}.', { answer: message });
    if (state === 'rejected') return <Problem of={failure!} />;
    if (missing.length > 0)
      return t('The order requires before this step: {methods}.', {
        methods: missing.map(wordOf).join(', '),
      });
    if (status === 'CANCELLED') return t('The office has cancelled the order meanwhile.');
    if (status) return t('The order has moved on meanwhile: {status}.', { status: wordOf(status) });
    return t('The office has given the order to somebody else meanwhile.');
  };
  return (
    <div className="explained" role="note">
      <p>
        {why()}{' '}
        {state === 'waiting'
          ? t('It stays on this phone and is sent again. Name this answer when you call.')
          : entry !== undefined
            ? t('Nothing is lost: your record is entry {entry} of the history.', { entry })
            : kind === 'INTERNAL'
              ? t('It is open whether the history has it. Ask before you record it again.')
              : t('The history has nothing of it. Correct it and record it again, or call.')}
      </p>
      <CallOffice shift={shift} />
    </div>
  );
};

/** Whom a driver calls about an order. */
export const CallOffice = ({ shift: { carrier, carrierTelephone } }: { shift: Shift }) =>
  carrierTelephone ? (
    <a className="call" href={telephoneUrl(carrierTelephone)}>
      <Text of={`${t('Call')} ${carrier}`} />
    </a>
  ) : (
    <p>{t('Call your dispatcher.')}</p>
  );

/** What went wrong and what to do, with the sentence of the service. */
export const Problem = ({ of }: { of: Reason }) => (
  <>
    {textOf(of)}{' '}
    {of.message && (
      <small lang="en">
        <Text of={of.message} />
      </small>
    )}
  </>
);

import { failureOf } from '../calls/failure.ts';
import { Copy } from './copy.tsx';
import { Text } from './text.tsx';
import { t } from './words.ts';

/** A failed call in words, with what to do next. */
export const Problem = ({ error, retry }: { error: unknown; retry?: () => unknown }) => {
  const { kind, message, requestId } = failureOf(error);
  const isOurs = kind === 'INTERNAL' || kind === '';
  return (
    <div className="problem" role="alert">
      <p>
        <Text of={message} />
      </p>
      {kind !== '' && <p className="faint">{kind}</p>}
      {isOurs && requestId !== '' && (
        <p>
          {t('If it stays so, quote the request id:')} <Copy text={requestId} />
        </p>
      )}
      {retry && kind !== 'NOT_FOUND' && (
        <button type="button" onClick={() => retry()}>
          {t('Try again')}
        </button>
      )}
    </div>
  );
};

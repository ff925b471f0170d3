import { failureOf } from '../calls/failure.ts';

/** A failed call in words, with what to do next. */
export const Problem = ({ error, retry }: { error: unknown; retry?: () => unknown }) => {
  const { kind, message } = failureOf(error);
  return (
    <div className="problem" role="alert">
      <p>{message}</p>
      {kind !== '' && <p className="faint">{kind}</p>}
      {retry && (
        <button type="button" onClick={() => retry()}>
          Try again
        </button>
      )}
    </div>
  );
};

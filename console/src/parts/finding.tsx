import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { failureOf } from '../calls/failure.ts';
import { Waiting } from './pending.tsx';
import { QuietButton } from './quiet-button.tsx';

/** `warns`: something is to be seen, and is no fault of the installation; `none`: there is nothing. */
const signs = { good: '✓', bad: '✕', warns: '!', none: '–' } as const;
export type Tone = keyof typeof signs;

/**
 * One sentence about a part of the installation; what it is about is folded behind it. Without an
 * answer it says that it is not known.
 * @param tone its sign and color.
 * @param isOpen whether what is behind it is shown at first.
 */
export const Finding = ({
  says,
  tone,
  query,
  isOpen = tone === 'bad' || tone === 'warns',
  measured,
  children,
}: {
  says: ReactNode;
  tone: Tone;
  query: UseQueryResult<unknown>;
  isOpen?: boolean;
  /** What was measured, in some words. */
  measured?: ReactNode;
  children?: ReactNode;
}) => {
  const { data, error, refetch } = query;
  const isOffline = error !== null && failureOf(error).isOffline;
  const sentence = error ? (
    <span className="faint">Not known now{isOffline ? '.' : `: ${failureOf(error).message}`}</span>
  ) : (
    <span className={tone}>
      <span aria-hidden="true">{signs[tone]}</span>
      {says}
      {measured && <span className="measured">{measured}</span>}
    </span>
  );
  return (
    <div className="finding">
      {data === undefined && !error ? (
        <Waiting label="Loading a part of the page" query={query} />
      ) : children && data !== undefined ? (
        <details open={isOpen}>
          <summary>{sentence}</summary>
          {children}
        </details>
      ) : (
        <p>{sentence}</p>
      )}
      {error && !isOffline && (
        <QuietButton className="small" onClick={() => refetch()}>
          Try again
        </QuietButton>
      )}
    </div>
  );
};

import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { NotReadAgain, Waiting } from './pending.tsx';

/** `warns`: something is to be seen, and is no fault of the installation; `none`: there is nothing. */
const signs = { good: '✓', bad: '✕', warns: '!', none: '–' } as const;
export type Tone = keyof typeof signs;

/**
 * One sentence about a part of the installation; what it is about is folded behind it.
 * @param tone by its sign and color; undefined: it is not known now.
 * @param isOpen whether what is behind it is shown at first.
 */
export const Finding = ({
  says,
  tone,
  query,
  isOpen = tone === 'bad' || tone === 'warns',
  children,
}: {
  says: ReactNode;
  tone: Tone | undefined;
  query: UseQueryResult<unknown>;
  isOpen?: boolean;
  children?: ReactNode;
}) => {
  if (query.data === undefined)
    return (
      <div className="finding">
        <Waiting label="Loading a part of the page" query={query} />
      </div>
    );
  const sentence = (
    <span className={tone ?? 'faint'}>
      {tone && <span aria-hidden="true">{signs[tone]}</span>}
      {tone ? says : 'Not known now.'}
    </span>
  );
  return (
    <div className="finding">
      <NotReadAgain query={query} />
      {children ? (
        <details open={isOpen}>
          <summary>{sentence}</summary>
          {children}
        </details>
      ) : (
        <p>{sentence}</p>
      )}
    </div>
  );
};

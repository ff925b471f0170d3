import type { UseQueryResult } from '@tanstack/react-query';
import { failureOf } from '../calls/failure.ts';
import { Problem } from './problem.tsx';
import { t } from './words.ts';

/** A part of a page before its first answer: loading, or why there is none. */
export const Waiting = ({ label, query }: { label: string; query: UseQueryResult<unknown> }) =>
  query.error ? (
    <Problem error={query.error} retry={query.refetch} />
  ) : (
    <div className="skeleton" role="status" aria-label={label} />
  );

/** Why a part that shows an older answer was not read again. The frame says that no answer comes. */
export const NotReadAgain = ({ query: { error, refetch } }: { query: UseQueryResult<unknown> }) =>
  error && !failureOf(error).isOffline ? <Problem error={error} retry={refetch} /> : null;

/** A page before its first answer. */
export const Pending = ({ of, query }: { of: string; query: UseQueryResult<unknown> }) => (
  <>
    <h1>{t(of)}</h1>
    <Waiting label={`${t('Loading')}: ${t(of)}`} query={query} />
  </>
);

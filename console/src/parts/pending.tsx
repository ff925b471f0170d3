import type { UseQueryResult } from '@tanstack/react-query';
import { Problem } from './problem.tsx';

/** A part of a page before its first answer: loading, or why there is none. */
export const Waiting = ({ label, query }: { label: string; query: UseQueryResult<unknown> }) =>
  query.error ? (
    <Problem error={query.error} retry={query.refetch} />
  ) : (
    <div className="skeleton" role="status" aria-label={label} />
  );

/** A page before its first answer. */
export const Pending = ({ of, query }: { of: string; query: UseQueryResult<unknown> }) => (
  <>
    <h1>{of}</h1>
    <Waiting label={`Loading: ${of}`} query={query} />
  </>
);

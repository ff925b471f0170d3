import type { UseQueryResult } from '@tanstack/react-query';
import { Problem } from './problem.tsx';

/** A page, or a part of one, before its first answer: loading, or why there is none. */
export const Pending = ({ of, query }: { of: string; query: UseQueryResult<unknown> }) =>
  query.error ? (
    <>
      <h1>{of}</h1>
      <Problem error={query.error} retry={query.refetch} />
    </>
  ) : (
    <div className="skeleton" role="status" aria-label={`Loading: ${of}`} />
  );

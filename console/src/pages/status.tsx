import { Measurements } from '../parts/measurements.tsx';
import { useMeasurements } from '../parts/use-measurements.ts';
import { BreakingEndpoints } from './status/breaking-endpoints.tsx';
import { StatusVerdict } from './status/verdict.tsx';

/** What `operator status` shows, live, with its verdict on top. */
export const StatusPage = () => {
  const query = useMeasurements();
  return (
    <>
      <h1>Status</h1>
      {query.error && query.data ? (
        <p className="verdict faint">Not known now.</p>
      ) : (
        query.data && query.data.length > 0 && <StatusVerdict rows={query.data} />
      )}
      <BreakingEndpoints />
      <h2>Measurements</h2>
      <Measurements query={query} />
    </>
  );
};

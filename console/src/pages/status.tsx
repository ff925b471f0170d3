import { Measurements } from '../parts/measurements.tsx';

/** What `operator status` shows, live. */
export const StatusPage = () => (
  <>
    <h1>Status</h1>
    <Measurements />
  </>
);

import { wordOf } from './badge.tsx';

/** How urgent an order is: STANDARD, EXPRESS or CRITICAL. */
export const Priority = ({ of }: { of: string }) => (
  <span className={`sla ${of.toLowerCase()}`}>{wordOf(of)}</span>
);

/** Failures of an endpoint in a row. */
export const Failures = ({ of }: { of: number }) =>
  of === 0 ? <>0</> : <span className="badge warn">{of}</span>;

/** How often an incident of an order was reported, by the types of its entries. */
export const Incidents = ({ of }: { of: readonly { readonly type: string }[] }) => {
  const count = of.filter(({ type }) => type === 'order.incident_reported').length;
  if (count === 0) return null;
  return <span className="badge bad">{count === 1 ? 'incident' : `${count} incidents`}</span>;
};

import { useEffect, useState } from 'react';
import { useLocation } from 'wouter';

/**
 * Returns a handler of keys for a search: Enter opens the only hit, also when its answer comes later,
 * as with a scanner that types a whole reference and Enter.
 * @param typed what the person has typed.
 * @param searched what the hits were found by; undefined: there is no answer to it yet.
 * @param hits ids of the orders that were found.
 */
export const useEnterOpens = (
  typed: string,
  searched: string | undefined,
  hits: readonly string[],
) => {
  const [, go] = useLocation();
  const [entered, setEntered] = useState('');
  const [only] = hits.length === 1 ? hits : [];
  useEffect(() => {
    if (entered === '' || entered !== searched) return;
    setEntered('');
    if (only !== undefined) go(`/orders/${only}`);
  }, [entered, searched, only, go]);
  return ({ key }: React.KeyboardEvent) => setEntered(key === 'Enter' ? typed.trim() : '');
};

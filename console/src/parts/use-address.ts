import { useSearchParams } from 'wouter';

/** The page of a list, in the address. */
export const pageParameter = 'after';

/**
 * Filters of a page in its address, so that a link shows the same, and the browser's way back leads
 * to the filters and pages before.
 */
export const useAddress = () => {
  const [parameters, setParameters] = useSearchParams();
  return {
    /** Returns a parameter; empty: none, or none of the permitted values. */
    get: (name: string, permitted?: readonly string[]): string => {
      const value = parameters.get(name) ?? '';
      return permitted === undefined || permitted.includes(value) ? value : '';
    },
    /**
     * Sets parameters, and goes to the first page unless one is set.
     * @param isTyped the person types: the way back leads to the address before the typing.
     */
    set: (changed: Readonly<Record<string, string>>, { isTyped = false } = {}) =>
      setParameters(
        (before) => {
          const next = new URLSearchParams(before);
          for (const [name, value] of Object.entries({ [pageParameter]: '', ...changed }))
            if (value === '') next.delete(name);
            else next.set(name, value);
          return next;
        },
        { replace: isTyped },
      ),
  };
};

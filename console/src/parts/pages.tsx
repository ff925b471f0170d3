import { useState } from 'react';

/** The pages of a list, which goes from the newest to older ones. */
export const usePages = () => {
  const [ids, setIds] = useState<readonly string[]>([]);
  return {
    /** The last id of the page before; empty on the first page. */
    id: ids.at(-1) ?? '',
    isFirst: ids.length === 0,
    older: (id: string) => setIds([...ids, id]),
    newer: () => setIds(ids.slice(0, -1)),
    toFirst: () => setIds([]),
  };
};

/** Buttons to the pages beside this one. @param next the id of the older page; empty: none. */
export const Pages = ({
  of: { isFirst, newer, older },
  next,
}: {
  of: ReturnType<typeof usePages>;
  next: string | undefined;
}) => (
  <div className="pages">
    {!isFirst && (
      <button type="button" className="quiet" onClick={newer}>
        Newer
      </button>
    )}
    {next && (
      <button type="button" className="quiet" onClick={() => older(next)}>
        Older
      </button>
    )}
  </div>
);

/** The options with which the search index is written and read. */
export const searchOptions = {
  fields: ['page', 'heading', 'text'],
  storeFields: ['page', 'heading', 'url', 'excerpt'],
  searchOptions: {
    boost: { page: 6, heading: 4 },
    prefix: true,
    fuzzy: 0.15,
    combineWith: 'AND' as const,
  },
};

/** German words: see index.ts. */
export const frame = {
  Orders: 'Aufträge',
  Requests: 'Anfragen',
  Endpoints: 'Endpunkte',
};

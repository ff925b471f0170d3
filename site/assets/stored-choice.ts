/** Returns a stored choice, or null where the browser stores nothing. */
export const readChoice = (name: string): string | null => {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
};

export const storeChoice = (name: string, value: string): void => {
  try {
    localStorage.setItem(name, value);
  } catch {
    // the choice holds for this page alone
  }
};

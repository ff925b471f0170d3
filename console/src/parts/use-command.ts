import { useState } from 'react';

/** The state of a command that a dialog sends: under way, or failed with an error that is shown. */
export const useCommand = (onDone: () => void) => {
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const run = async (command: () => Promise<unknown>): Promise<void> => {
    setBusy(true);
    setError(undefined);
    try {
      await command();
      onDone();
    } catch (thrown) {
      setError(thrown);
    } finally {
      setBusy(false);
    }
  };
  return { error, isBusy, run };
};

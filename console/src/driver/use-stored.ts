import { useEffect, useState } from 'react';
import { onChange } from './store.ts';

/** Returns what a function reads from the phone's store, and reads it again after each change. */
export const useStored = <T>(read: () => Promise<T>): T | undefined => {
  const [value, setValue] = useState<T>();
  useEffect(() => {
    let [isShown, reads] = [true, 0];
    const again = async () => {
      const number = ++reads;
      const now = await read();
      if (isShown && number === reads) setValue(now);
    };
    void again();
    const stop = onChange(again);
    return () => {
      isShown = false;
      stop();
    };
  }, [read]);
  return value;
};

import { useEffect, useRef, useState } from 'react';
import type { Calls } from '../../board/columns.ts';
import { nameOf } from './step-window.tsx';

const storedAs = 'attention';

/** Whether this browser sounds and notifies, and how to switch it. The browser asks the person once. */
export const useAttentionSwitch = () => {
  const [isOn, setOn] = useState(() => localStorage.getItem(storedAs) === 'on');
  const toggle = async () => {
    if (!isOn && globalThis.Notification?.permission === 'default')
      await Notification.requestPermission();
    localStorage.setItem(storedAs, isOn ? 'off' : 'on');
    setOn(!isOn);
  };
  return { isOn, toggle };
};

/**
 * Sounds and notifies for each new call, while it is on.
 * @param calls undefined until they are known; the first ones are not new.
 */
export const useAttention = (calls: Calls | undefined, isOn: boolean): void => {
  const before = useRef<Calls | undefined>(undefined);
  useEffect(() => {
    if (!calls) return;
    const known = before.current ?? calls;
    before.current = calls;
    const added = [...calls].filter(([key]) => !known.has(key));
    if (!isOn || added.length === 0) return;
    beep();
    const words = added.map(([, { order, why }]) => `${nameOf(order)}: ${why}`);
    if (globalThis.Notification?.permission === 'granted')
      new Notification('Now', { body: words.slice(0, 5).join('\n'), tag: 'now' });
  }, [calls, isOn]);
};

const [hertz, seconds, loudness] = [660, 0.25, 0.1];

const beep = (): void => {
  const audio = new AudioContext();
  const [tone, volume] = [audio.createOscillator(), audio.createGain()];
  tone.frequency.value = hertz;
  volume.gain.value = loudness;
  tone.connect(volume).connect(audio.destination);
  tone.onended = () => void audio.close();
  tone.start();
  tone.stop(audio.currentTime + seconds);
};

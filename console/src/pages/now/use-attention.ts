import type { OpenOrder } from '@pto/proto/orders/v1/commands';
import { useEffect, useRef, useState } from 'react';
import { exceptionsOf } from '../../board/columns.ts';
import { nameOf } from './step-window.tsx';

const storedAs = 'attention';

/** Returns by order what asks for attention: an urgent new order, and each exception. Pure. */
export const callsOf = (orders: readonly OpenOrder[]): ReadonlyMap<string, string> =>
  new Map(
    orders.flatMap((order) => [
      ...(order.sla === 'STANDARD' || order.status !== 'SUBMITTED'
        ? []
        : [[`${order.id} new`, `${nameOf(order)}: new, ${order.sla.toLowerCase()}`] as const]),
      ...exceptionsOf(order).map(
        (why) => [`${order.id} ${why}`, `${nameOf(order)}: ${why}`] as const,
      ),
    ]),
  );

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

/** Sounds and notifies for a new urgent order and a new exception, while it is on. */
export const useAttention = (orders: readonly OpenOrder[] | undefined, isOn: boolean): void => {
  const before = useRef<ReadonlyMap<string, string> | undefined>(undefined);
  useEffect(() => {
    if (!orders) return;
    const calls = callsOf(orders);
    const added = [...calls].filter(([key]) => before.current && !before.current.has(key));
    before.current = calls;
    if (!isOn || added.length === 0) return;
    beep();
    const words = added.map(([, one]) => one);
    if (globalThis.Notification?.permission === 'granted')
      new Notification('Now', { body: words.slice(0, 5).join('\n'), tag: 'now' });
  }, [orders, isOn]);
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

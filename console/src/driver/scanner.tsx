import { useEffect, useRef, useState } from 'react';
import { t } from '../parts/words.ts';
import { openDetector } from './detector.ts';

/** Time between two pictures that are read, in ms. */
const pauseMs = 150;

/**
 * The camera, until it is closed or the page is hidden. Reports each code that it sees, also again.
 */
export const Scanner = ({
  onCode,
  onClose,
}: {
  onCode: (text: string) => void;
  onClose: () => void;
}) => {
  const video = useRef<HTMLVideoElement>(null);
  const report = useRef(onCode);
  report.current = onCode;
  const [hasFailed, setFailed] = useState(false);
  useEffect(() => {
    let isOpen = true;
    let stream: MediaStream | undefined;
    const stop = () => {
      for (const track of stream?.getTracks() ?? []) track.stop();
    };
    const scan = async () => {
      const wanted = { facingMode: 'environment', width: { ideal: 1280 } };
      stream = await navigator.mediaDevices.getUserMedia({ video: wanted });
      const shown = video.current;
      if (!isOpen || !shown) return stop();
      shown.srcObject = stream;
      const [detect] = await Promise.all([openDetector(), shown.play()]);
      while (isOpen) {
        for (const code of await detect(shown)) if (isOpen) report.current(code);
        await new Promise((resolve) => setTimeout(resolve, pauseMs));
      }
    };
    scan().catch(() => isOpen && setFailed(true));
    return () => {
      isOpen = false;
      stop();
    };
  }, []);
  useEffect(() => {
    const hidden = () => document.visibilityState === 'hidden' && onClose();
    document.addEventListener('visibilitychange', hidden);
    return () => document.removeEventListener('visibilitychange', hidden);
  }, [onClose]);
  return (
    <div className="scanner">
      {hasFailed ? (
        <p className="error" role="alert">
          {t('The camera cannot be used. Allow it in the settings of the browser, or type.')}
        </p>
      ) : (
        <video ref={video} muted playsInline aria-label={t('Picture of the camera')} />
      )}
      <button type="button" className="quiet" onClick={onClose}>
        {t('Close the camera')}
      </button>
    </div>
  );
};

/** The phone says without a look at it that a code was read. */
export const confirmScan = (): void => void navigator.vibrate?.(80);

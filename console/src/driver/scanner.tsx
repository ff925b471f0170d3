import { useEffect, useRef, useState } from 'react';
import { t } from '../parts/words.ts';
import { openDetector } from './detector.ts';

/** Time between two pictures that are read, in ms. */
const pauseMs = 150;

/** A track of a camera with a lamp (Image Capture), which the types of the browser do not have. */
interface Camera extends MediaStreamTrack {
  getCapabilities(): MediaTrackCapabilities & { readonly torch?: boolean };
}

/**
 * A button that opens the camera, until a code is the last one, it is closed, or the page is hidden.
 * @param onCode gets each code that the camera sees, also again. It returns whether the code was the
 *   last one; undefined: it is not taken.
 */
export const Scan = ({
  label,
  onCode,
  isFirst = false,
}: {
  label: string;
  /** It is what to do first. */
  isFirst?: boolean;
  onCode: (text: string) => boolean | undefined;
}) => {
  const [isOpen, setOpen] = useState(false);
  const report = (text: string) => {
    const isLast = onCode(text);
    // the driver knows without a look at the phone that a code was read
    if (isLast !== undefined) navigator.vibrate?.(80);
    if (isLast) setOpen(false);
  };
  return (
    <div className="scanner">
      {isOpen ? (
        <Picture onCode={report} onClose={() => setOpen(false)} />
      ) : (
        <button type="button" className={isFirst ? '' : 'quiet'} onClick={() => setOpen(true)}>
          {label}
        </button>
      )}
    </div>
  );
};

const Picture = (on: { onCode: (text: string) => void; onClose: () => void }) => {
  const video = useRef<HTMLVideoElement>(null);
  const reported = useRef(on);
  reported.current = on;
  const [hasFailed, setFailed] = useState(false);
  const [lamp, setLamp] = useState<Camera>();
  const [isLit, setLit] = useState(false);
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
      const [track] = stream.getVideoTracks() as Camera[];
      if (track?.getCapabilities?.().torch) setLamp(track);
      shown.srcObject = stream;
      shown.scrollIntoView({ block: 'center' }); // the large button may be over it
      const [detect] = await Promise.all([openDetector(), shown.play()]);
      while (isOpen) {
        for (const code of await detect(shown)) if (isOpen) reported.current.onCode(code);
        await new Promise((resolve) => setTimeout(resolve, pauseMs));
      }
    };
    scan().catch(() => isOpen && setFailed(true));
    const hidden = () => document.visibilityState === 'hidden' && reported.current.onClose();
    document.addEventListener('visibilitychange', hidden);
    return () => {
      isOpen = false;
      stop();
      document.removeEventListener('visibilitychange', hidden);
    };
  }, []);
  const light = async () => {
    await lamp!.applyConstraints({ advanced: [{ torch: !isLit } as MediaTrackConstraintSet] });
    setLit(!isLit);
  };
  return (
    <>
      {hasFailed ? (
        <p className="error" role="alert">
          {t('The camera cannot be used. Allow it in the settings of the browser, or type.')}
        </p>
      ) : (
        <video ref={video} muted playsInline aria-label={t('Picture of the camera')} />
      )}
      <div className="pair">
        <button type="button" className="quiet" onClick={on.onClose}>
          {t('Close the camera')}
        </button>
        {lamp && (
          <button type="button" className="quiet" aria-pressed={isLit} onClick={light}>
            {t('Light')}
          </button>
        )}
      </div>
    </>
  );
};

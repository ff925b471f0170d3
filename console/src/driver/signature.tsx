import { type PointerEvent, useRef, useState } from 'react';
import { t } from '../parts/words.ts';
import { fill } from './draft.ts';

/** Pixels of the drawing, black on white in both schemes. */
const [width, height, line] = [800, 320, 5];

/** A signature drawn by finger or pen: the form's `signature`. */
export const Signature = () => {
  const canvas = useRef<HTMLCanvasElement>(null);
  const signature = useRef<HTMLInputElement>(null);
  const [isDown, isByHand] = [useRef(false), useRef(false)];
  const [hasDrawn, setDrawn] = useState(false);
  const pointOf = ({ clientX, clientY, currentTarget }: PointerEvent<HTMLCanvasElement>) => {
    const box = currentTarget.getBoundingClientRect();
    return [
      ((clientX - box.left) / box.width) * width,
      ((clientY - box.top) / box.height) * height,
    ] as const;
  };
  const contextOf = () => canvas.current!.getContext('2d')!;
  const clear = () => {
    contextOf().fillStyle = 'white';
    contextOf().fillRect(0, 0, width, height);
    fill(signature.current, []);
  };
  /** Draws the one from before a reload. */
  const changed = async (file: File | undefined) => {
    setDrawn(file !== undefined);
    if (file && !isByHand.current) contextOf().drawImage(await createImageBitmap(file), 0, 0);
  };
  return (
    <div className="signature">
      <span id="signature">{t('Signature')}</span>
      <canvas
        ref={canvas}
        role="img"
        aria-labelledby="signature"
        {...{ width, height }}
        onPointerDown={(event) => {
          if (!hasDrawn) clear();
          isDown.current = true;
          isByHand.current = true;
          event.currentTarget.setPointerCapture(event.pointerId);
          const context = contextOf();
          [context.lineWidth, context.lineCap, context.lineJoin] = [line, 'round', 'round'];
          context.beginPath();
          context.moveTo(...pointOf(event));
        }}
        onPointerMove={(event) => {
          if (!isDown.current) return;
          contextOf().lineTo(...pointOf(event));
          contextOf().stroke();
        }}
        onPointerUp={(event) => {
          if (!isDown.current) return;
          isDown.current = false;
          event.currentTarget.releasePointerCapture(event.pointerId);
          fill(signature.current, [pngOf(event.currentTarget)]);
        }}
      />
      <input
        hidden
        name="signature"
        type="file"
        ref={signature}
        onChange={({ target: { files } }) => void changed(files?.[0])}
      />
      {hasDrawn && (
        <button type="button" className="quiet" onClick={clear}>
          {t('Clear the signature')}
        </button>
      )}
    </div>
  );
};

/** At once: the drawing may be recorded with the next tap. */
const pngOf = (canvas: HTMLCanvasElement): File => {
  const [, base64] = canvas.toDataURL('image/png').split(',');
  const bytes = Uint8Array.from(atob(base64!), (char) => char.charCodeAt(0));
  return new File([bytes], 'signature.png', { type: 'image/png' });
};

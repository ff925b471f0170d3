import { type PointerEvent, useRef, useState } from 'react';
import { t } from '../parts/words.ts';

/** Pixels of the drawing, black on white in both schemes. */
const [width, height, line] = [800, 320, 5];

/** A signature drawn by finger or pen. @param onDraw gets the drawing; null: it is empty. */
export const Signature = ({ onDraw }: { onDraw: (drawn: HTMLCanvasElement | null) => void }) => {
  const canvas = useRef<HTMLCanvasElement>(null);
  const isDown = useRef(false);
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
    setDrawn(false);
    onDraw(null);
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
          setDrawn(true);
          onDraw(canvas.current);
        }}
      />
      {hasDrawn && (
        <button type="button" className="quiet" onClick={clear}>
          {t('Clear the signature')}
        </button>
      )}
    </div>
  );
};

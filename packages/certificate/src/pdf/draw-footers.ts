import type { CertificateDocument } from '../document.ts';
import { palette } from '../palette.ts';
import { type Canvas, lineHeight, type TextStyle } from './canvas.ts';

const style: TextStyle = { size: 7, color: palette.quiet };
const top = 794;

/** Writes order, head hash and page number at the end of each page. */
export const drawFooters = (canvas: Canvas, { footer, pageOf }: CertificateDocument): void => {
  const { doc, left, width, tags } = canvas;
  const { count } = doc.bufferedPageRange();
  const lines = footer.flatMap((line) => canvas.wrap(line, width - 80, style).slice(0, 1));
  for (let n = 0; n < count; n++) {
    doc.switchToPage(n);
    tags.decorate(() => {
      doc.moveTo(left, top - 4).lineTo(left + width, top - 4);
      doc.lineWidth(0.4).stroke(palette.line);
      lines.forEach((line, row) => {
        canvas.put(line, left, top + row * lineHeight(style), style);
      });
      const number = pageOf(n + 1, count);
      canvas.put(number, left + width - canvas.widthOf(number, style), top, style);
    });
  }
};

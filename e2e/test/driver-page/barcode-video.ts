/** A video for Chromium's fake camera (Y4M) in which barcodes are shown one after the other. */
import encodeQR from 'qr';

const [width, height, framesEach, quiet] = [640, 480, 12, 40];

/** Widths of bars and spaces of each symbol of Code 128 (ISO/IEC 15417), from 0 to 105; the stop. */
const symbols = (
  '212222 222122 222221 121223 121322 131222 122213 122312 132212 221213 221312 231212 112232 ' +
  '122132 122231 113222 123122 123221 223211 221132 221231 213212 223112 312131 311222 321122 ' +
  '321221 312212 322112 322211 212123 212321 232121 111323 131123 131321 112313 132113 132311 ' +
  '211313 231113 231311 112133 112331 132131 113123 113321 133121 313121 211331 231131 213113 ' +
  '213311 213131 311123 311321 331121 312113 312311 332111 314111 221411 431111 111224 111422 ' +
  '121124 121421 141122 141221 112214 112412 122114 122411 142112 142211 241211 221114 413111 ' +
  '241112 134111 111242 121142 121241 114212 124112 124211 411212 421112 421211 212141 214121 ' +
  '412121 111143 111341 131141 114113 114311 411113 411311 113141 114131 311141 411131 211412 ' +
  '211214 211232'
).split(' ');
const stop = '2331112';
const startB = 104;

/** Returns the modules of a text in Code 128, set B; true is a bar. */
const code128 = (text: string): readonly boolean[] => {
  const values = [...text].map((character) => character.charCodeAt(0) - 32);
  const sum = values.reduce((total, value, at) => total + value * (at + 1), startB) % 103;
  const widths = [startB, ...values, sum].map((value) => symbols[value]).join('') + stop;
  return [...widths].flatMap((one, at) => Array<boolean>(Number(one)).fill(at % 2 === 0));
};

type Codes = readonly { readonly kind: 'code128' | 'qr'; readonly text: string }[];

/** Returns whether a pixel is dark. */
const drawn = ({ kind, text }: Codes[number]): ((x: number, y: number) => boolean) => {
  if (kind === 'code128') {
    const bars = code128(text);
    const unit = Math.floor((width - 2 * quiet) / bars.length);
    return (x, y) => y > 120 && y < 360 && bars[Math.floor((x - quiet) / unit)] === true;
  }
  const modules = encodeQR(text, 'raw');
  const unit = Math.floor((height - 2 * quiet) / modules.length);
  return (x, y) => modules[Math.floor((y - quiet) / unit)]?.[Math.floor((x - 120) / unit)] === true;
};

export const barcodeVideo = (codes: Codes): Buffer => {
  const color = Buffer.alloc((width * height) / 2, 128);
  const frames = codes.flatMap((code) => {
    const isDark = drawn(code);
    const light = Buffer.alloc(width * height, 235);
    for (let at = 0; at < light.length; at++)
      if (isDark(at % width, Math.floor(at / width))) light[at] = 16;
    return Array(framesEach)
      .fill([Buffer.from('FRAME\n'), light, color])
      .flat() as Buffer[];
  });
  const head = `YUV4MPEG2 W${width} H${height} F10:1 Ip A1:1 C420jpeg\n`;
  return Buffer.concat([Buffer.from(head), ...frames]);
};

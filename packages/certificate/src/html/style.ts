import { palette, tones } from '../palette.ts';

const notices = Object.entries(tones)
  .map(([tone, [ink, shade]]) => `.${tone}{color:${ink};background:${shade};border-color:${ink}}`)
  .join('');

/** The style sheet of a certificate. It loads nothing: fonts are those of the reader's system. */
export const style = [
  '@page{size:A4;margin:16mm 15mm}',
  '*{box-sizing:border-box}',
  `body{font:10pt/1.45 "Noto Sans","Segoe UI",Helvetica,Arial,sans-serif;color:${palette.ink};background:#fff;max-width:190mm;margin:8mm auto;padding:0 5mm;overflow-wrap:anywhere}`,
  'h1{font-size:18pt;line-height:1.2;margin:0 0 1mm}',
  `h2{font-size:12.5pt;margin:7mm 0 2mm;padding-bottom:1mm;border-bottom:1px solid ${palette.line};break-after:avoid}`,
  'h3{font-size:10.5pt;margin:4mm 0 1mm;break-after:avoid}',
  'p{margin:1mm 0}',
  'p,dd,th,td,li{white-space:pre-line}',
  'ul{margin:1mm 0;padding-left:5mm}',
  `header p,footer{color:${palette.quiet}}`,
  `footer{margin-top:6mm;padding-top:2mm;border-top:1px solid ${palette.line};font-size:8pt}`,
  '.notice{border-left:4px solid;padding:2mm 3mm;margin:3mm 0;break-inside:avoid;print-color-adjust:exact}',
  notices,
  'dl{margin:1mm 0}',
  'dl div{display:grid;grid-template-columns:48mm 1fr;gap:3mm;break-inside:avoid}',
  `dt{color:${palette.quiet}}`,
  'dd{margin:0}',
  'table{width:100%;border-collapse:collapse;table-layout:fixed;font-size:8.5pt;line-height:1.35;margin:2mm 0}',
  `th,td{text-align:left;vertical-align:top;padding:1mm 1.5mm;border-bottom:1px solid ${palette.line};font-weight:400}`,
  `thead th{font-weight:700;background:${palette.shade};print-color-adjust:exact}`,
  'tr{break-inside:avoid}',
  `.chart{width:100%;max-width:180mm;height:auto;font-size:7.5px;break-inside:avoid}`,
  '.verify{display:flex;gap:5mm;align-items:flex-start;break-inside:avoid;margin-top:4mm}',
  '.qr{width:34mm;height:34mm;flex:none;background:#fff}',
  '@media print{body{margin:0;padding:0;max-width:none}}',
].join('\n');

export { certificateHtml } from './certificate-html.ts';
export { certificatePdf } from './certificate-pdf.ts';
export { escapeHtml } from './html/escape.ts';
export type { CertificateInput, Language, Picture } from './input.ts';

/** The thread that renders certificates as PDF. */
import { certificatePdf } from '@pto/certificate';
import { serveThread } from '@pto/concurrency';

serveThread(certificatePdf);

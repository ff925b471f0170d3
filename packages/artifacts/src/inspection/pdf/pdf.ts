import { reject } from '../reject.ts';
import { openActionsIn, readBody } from './body.ts';
import { checkHiddenObjects } from './hidden-objects.ts';
import { inflateObjectStreams } from './object-streams.ts';
import { checkOpenActions } from './open-action.ts';

/**
 * Checks that a PDF contains neither programs nor files, and does nothing when it is opened.
 *
 * The check reads all objects, also those that no page uses, and draws nothing. It does not
 * decompress pages, fonts and pictures, which contain no actions.
 * @throws Failure for forbidden names, encryption, hidden objects, or a begin or end that is none.
 */
export const checkPdf = (bytes: Buffer): void => {
  if (!/^%PDF-\d\.\d/.test(bytes.toString('latin1', 0, 8)))
    reject('the content is not a PDF: send its media type, or a PDF that begins with %PDF-');
  if (!/%%EOF[\0\t\n\f\r ]*$/.test(bytes.toString('latin1', Math.max(0, bytes.length - 1024))))
    reject('the PDF does not end with %%EOF: send all its bytes, and nothing after them');
  const body = readBody(bytes);
  if (body.objects.length === 0) reject('the PDF has no objects: export the document again');
  checkHiddenObjects(bytes, body);
  const objectStreams = inflateObjectStreams(bytes, body.streams);
  const actions = [
    ...body.openActions,
    ...objectStreams.flatMap((stream) => openActionsIn(stream.bytes)),
  ];
  checkOpenActions(actions, body, bytes, objectStreams);
};

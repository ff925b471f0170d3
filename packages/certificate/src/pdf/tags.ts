/** Tags the contents of a PDF, so that software can read it aloud and extract it (PDF/A-3a). */

type Element = ReturnType<PDFKit.PDFDocument['struct']>;
type Options = { readonly alt?: string; readonly scope?: 'Row' | 'Column' };

/** Writes a document's structure: elements within elements, and what belongs to none of them. */
export interface Tags {
  /** Adds an element to the one around it. Its contents are drawn with `inside`, in parts. */
  readonly open: (type: string, options?: Options) => OpenElement;
  /** Draws a complete element. */
  readonly within: (type: string, draw: () => void, options?: Options) => void;
  /** Draws what has no meaning of its own: backgrounds, lines, repeated headings, footers. */
  readonly decorate: (draw: () => void) => void;
  /** Draws what is one piece of content: a line of text or a picture. */
  readonly mark: (draw: () => void) => void;
  readonly end: () => void;
}

export interface OpenElement {
  readonly inside: (draw: () => void) => void;
  readonly end: () => void;
}

/** Begins the structure of a document. */
export const openTags = (doc: PDFKit.PDFDocument): Tags => {
  const root = doc.struct('Document');
  doc.addStructure(root);
  let current: readonly [element: Element, type: string] = [root, 'Document'];
  let isMarked = false;
  const marked = (begin: () => void, draw: () => void): void => {
    if (isMarked) {
      draw();
      return;
    }
    isMarked = true;
    begin();
    draw();
    doc.endMarkedContent();
    isMarked = false;
  };
  const open: Tags['open'] = (type, options = {}) => {
    const element = doc.struct(type, options as Record<string, string>);
    current[0].add(element);
    return {
      inside: (draw) => {
        const around = current;
        current = [element, type];
        draw();
        current = around;
      },
      end: () => element.end(),
    };
  };
  return {
    open,
    within: (type, draw, options) => {
      const element = open(type, options);
      element.inside(draw);
      element.end();
    },
    decorate: (draw) => marked(() => doc.markContent('Artifact'), draw),
    mark: (draw) =>
      marked(() => {
        const [element, type] = current;
        element.add(doc.markStructureContent(type));
      }, draw),
    end: () => root.end(),
  };
};

/** Reads barcodes in a picture of the camera: by the browser, else by a module that is loaded for it. */

/** Returns the texts of the codes that it sees. */
export type Detect = (video: HTMLVideoElement) => Promise<readonly string[]>;

const formats = ['code_128', 'ean_13', 'ean_8', 'data_matrix', 'qr_code'];

interface NativeDetector {
  detect(video: HTMLVideoElement): Promise<readonly { readonly rawValue: string }[]>;
}
interface NativeDetectors {
  new (options: { formats: readonly string[] }): NativeDetector;
  getSupportedFormats(): Promise<readonly string[]>;
}

export const openDetector = async (): Promise<Detect> => {
  const { BarcodeDetector } = globalThis as { BarcodeDetector?: NativeDetectors };
  const known = (await BarcodeDetector?.getSupportedFormats()) ?? [];
  if (!BarcodeDetector || !formats.every((format) => known.includes(format)))
    return (await import('./zxing.ts')).detect;
  const native = new BarcodeDetector({ formats });
  return async (video) => (await native.detect(video)).map(({ rawValue }) => rawValue);
};
